internal import HAP
internal import HAPCatalog

/// Queued requests that are sent in one HTTP request.
struct RequestBatch: Sendable {
    /// The content of the HTTP request.
    enum Content: Hashable, Sendable {
        /// A GET of these characteristics, each of which occurs once.
        case read([CharacteristicID])
        /// A PUT with one entry per request.
        case write([CharacteristicWriteRequest.Entry], WriteTiming)
        /// A POST of a pairings request.
        case pairings(PairingsRequest)
    }

    let content: Content
    /// The requests, in the order of submission.
    let requests: [QueuedRequest]

    /// The time for which its writes ask to stay prepared; `nil` if none does.
    var preparation: Duration? {
        requests.compactMap { request in
            if case .write(let write) = request.kind { write.preparation } else { nil }
        }.min()
    }

    /// The batch without the writes that were withdrawn since it was made, and these with the reasons.
    var withoutWithdrawn: (batch: RequestBatch, withdrawn: [(QueuedRequest, AccessoryFailure)]) {
        let failures = requests.map { $0.kind.withdrawal?.failure }
        guard case .write(let entries, let timing) = content, failures.contains(where: { $0 != nil }) else {
            return (self, [])
        }
        let kept = failures.indices.filter { failures[$0] == nil }
        let batch = RequestBatch(content: .write(kept.map { entries[$0] }, timing), requests: kept.map { requests[$0] })
        return (batch, zip(requests, failures).compactMap { request, failure in failure.map { (request, $0) } })
    }

    /// Returns the HTTP request.
    /// - Parameters:
    ///   - host: The accessory's host and port.
    ///   - pid: The ID of the timed write, if it was prepared.
    func httpRequest(host: String, pid: UInt64? = nil) -> HTTPRequest {
        switch content {
        case .read(let ids):
            CharacteristicReadRequest(ids: ids).request(host: host)
        case .write(let entries, _):
            CharacteristicWriteRequest(entries: entries, pid: pid).request(host: host)
        case .pairings(let request):
            HTTPRequest(
                .post,
                HAPEndpoint.pairings.path,
                host: host,
                contentType: HAPContentType.pairing,
                body: request.encoded()
            )
        }
    }
}

extension RequestBatch {
    /// A builder that collects requests until one doesn't fit.
    struct Builder {
        /// The result of adding a request.
        enum Step {
            case added
            /// The request belongs in the next batch.
            case full
            /// The request can't be sent at all.
            case impossible(AccessoryFailure)
        }

        private let index: AttributeIndex
        private let limits: SessionConfiguration
        // The lists are outside the content, because a list within an enumeration is copied for each element.
        private var content: Content?
        private var reads: [CharacteristicID] = []
        private var writes: [CharacteristicWriteRequest.Entry] = []
        private var requests: [QueuedRequest] = []
        private var ids: Set<CharacteristicID> = []
        private var targetLength = 0

        init(index: AttributeIndex, limits: SessionConfiguration) {
            self.index = index
            self.limits = limits
        }

        /// The batch, or `nil` if it is empty.
        var batch: RequestBatch? {
            switch content {
            case nil: nil
            case .read: RequestBatch(content: .read(reads), requests: requests)
            case .write(_, let timing): RequestBatch(content: .write(writes, timing), requests: requests)
            case .pairings(let pairings): RequestBatch(content: .pairings(pairings), requests: requests)
            }
        }

        mutating func add(_ request: QueuedRequest) -> Step {
            switch request.kind {
            case .read(let id):
                return addRead(id, request)
            case .write(let write):
                let entry = CharacteristicWriteRequest.Entry(
                    id: write.id,
                    value: index.converted(write.value, for: write.id),
                    authorizationData: write.authorizationData,
                    isRemote: write.isRemote,
                    wantsResponse: write.wantsResponse
                )
                var timing = index.timing(of: write.id)
                if timing == .plain, write.preparation != nil { timing = .timedPreferred }
                return addWrite(entry, timing, request)
            case .subscribe(let id, let enabled):
                return addWrite(CharacteristicWriteRequest.Entry(id: id, events: enabled), .plain, request)
            case .identify(let aid):
                guard let id = index.identifyCharacteristic(of: aid) else {
                    return .impossible(.status(.noSuchResource))
                }
                return addWrite(CharacteristicWriteRequest.Entry(id: id, value: .bool(true)), .plain, request)
            case .pairings(let pairings):
                guard content == nil else { return .full }
                content = .pairings(pairings)
                requests = [request]
                return .added
            }
        }

        private mutating func addRead(_ id: CharacteristicID, _ request: QueuedRequest) -> Step {
            switch content {
            case nil:
                content = .read([])
                targetLength = CharacteristicReadRequest(ids: []).target.utf8.count
            case .read: break
            case .write, .pairings: return .full
            }
            if !ids.contains(id) {
                let length = targetLength + id.description.utf8.count + 1
                let isFull =
                    reads.count >= limits.maximumCharacteristicsPerRequest || length > limits.maximumTargetLength
                guard reads.isEmpty || !isFull else { return .full }
                targetLength = length
                ids.insert(id)
                reads.append(id)
            }
            requests.append(request)
            return .added
        }

        private mutating func addWrite(
            _ entry: CharacteristicWriteRequest.Entry,
            _ timing: WriteTiming,
            _ request: QueuedRequest
        ) -> Step {
            let limit =
                entry.events == nil ? limits.maximumWritesPerRequest : limits.maximumCharacteristicsPerRequest
            switch content {
            case nil: content = .write([], timing)
            case .write(_, timing) where writes.count < limit: break
            case .read, .write, .pairings: return .full
            }
            guard ids.insert(entry.id).inserted else { return .full }
            writes.append(entry)
            requests.append(request)
            return .added
        }
    }
}
