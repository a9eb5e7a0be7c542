internal import HAP
internal import HAPCatalog

extension RequestBatch {
    /// Returns the outcome of each request, in order, from the accessory's response.
    ///
    /// Decoding is lenient: statuses may lack their minus sign, 400 may replace 207, and the response to a write may
    /// list only failures.
    func outcomes(_ response: HTTPResponse, _ index: AttributeIndex) -> [RequestOutcome] {
        switch content {
        case .read: readOutcomes(response, index)
        case .write(let entries, _): writeOutcomes(response, entries, index)
        case .pairings(let request): [pairingsOutcome(response, request)]
        }
    }

    private func readOutcomes(_ response: HTTPResponse, _ index: AttributeIndex) -> [RequestOutcome] {
        let entries: [CharacteristicReadResponse.Entry]
        do {
            entries = try CharacteristicReadResponse(decoding: response.body).entries
        } catch {
            let failure = response.refusal ?? .malformedAnswer(error.description)
            return requests.map { _ in .failure(failure) }
        }
        let byID = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return requests.map { request in
            guard case .read(let id) = request.kind, let entry = byID[id] else {
                return .failure(response.refusal ?? .malformedAnswer("the response lacks a characteristic"))
            }
            guard entry.status.isSuccess else { return .failure(.status(entry.status)) }
            return .value(entry.value.map { index.converted($0, for: id) })
        }
    }

    private func writeOutcomes(
        _ response: HTTPResponse,
        _ written: [CharacteristicWriteRequest.Entry],
        _ index: AttributeIndex
    ) -> [RequestOutcome] {
        let refusal = response.refusal
        let entries: [CharacteristicWriteResponse.Entry]
        do {
            entries = try CharacteristicWriteResponse(decoding: response.body).entries
        } catch {
            let failure = refusal ?? response.failureInBody(orMalformed: error)
            return requests.map { _ in failure.map { .failure($0) } ?? .value(nil) }
        }
        let byID = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return written.map { sent in
            guard let entry = byID[sent.id] else { return refusal.map { .failure($0) } ?? .value(nil) }
            guard entry.status.isSuccess else { return .failure(.status(entry.status)) }
            return .value(entry.value.map { index.converted($0, for: sent.id) })
        }
    }

    private func pairingsOutcome(_ response: HTTPResponse, _ request: PairingsRequest) -> RequestOutcome {
        if let refusal = response.refusal { return .failure(refusal) }
        do {
            return .pairings(try PairingsResponse(decoding: response.body, to: request))
        } catch {
            return .failure(.pairing(error))
        }
    }
}

extension HTTPStatus {
    /// Whether the status means that pair-verify is required. Some accessories use the standard HTTP status instead of
    /// HAP's.
    var asksForVerification: Bool { self == .connectionAuthorizationRequired || self == .unauthorized }
}

extension HTTPResponse {
    /// The reason for which the accessory rejected the whole request: the status in the body, or else the response's
    /// status. `nil` if it didn't reject it.
    var refusal: AccessoryFailure? {
        guard !(200..<300).contains(status.rawValue) else { return nil }
        if let status = try? StatusBody(decoding: body).status, !status.isSuccess { return .status(status) }
        return .refused(httpStatus: status.rawValue)
    }

    /// The reason for which the accessory rejected a whole write. `nil` if it didn't reject it, or if it reports an
    /// outcome for each part.
    var refusalOfWholeWrite: AccessoryFailure? {
        if let entries = try? CharacteristicWriteResponse(decoding: body).entries, !entries.isEmpty { return nil }
        if let refusal { return refusal }
        guard let status = try? StatusBody(decoding: body).status, !status.isSuccess else { return nil }
        return .status(status)
    }

    /// Whether the body is a pairing message, which some accessories send with an error status.
    var isPairingMessage: Bool {
        let type = headers[HTTPHeaderName.contentType]?.prefix { $0 != ";" && $0 != " " }
        return type?.lowercased() == HAPContentType.pairing
    }

    /// Whether the accessory considers the connection unverified.
    var saysNotVerified: Bool { status.asksForVerification }

    /// Returns the failure in the body of a successful HTTP response that is not a list of outcomes, or `nil` if it
    /// reports success.
    func failureInBody(orMalformed error: AttributeDecodingError) -> AccessoryFailure? {
        guard let status = try? StatusBody(decoding: body).status else { return .malformedAnswer(error.description) }
        return status.isSuccess ? nil : .status(status)
    }
}
