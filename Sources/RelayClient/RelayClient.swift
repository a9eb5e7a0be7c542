package import Foundation
package import HomeIdentity
import NIOCore
import NIOHTTP1
package import RelayAPI
import Synchronization

/// Asks a relay, in the name of one key.
///
/// Sessions are opened as needed. All requests can be repeated without harm, so a caller repeats one whose answer was lost.
package final class RelayClient: Sendable {
    // This is a class because it owns the connections and the session.

    private struct State {
        var session: SessionReply?
        /// The relay's clock less this one's, in milliseconds, once they are known to differ.
        var clockOffset: Int64 = 0
        /// The connections to the process that serves the house, if the relay has named one.
        var process: RelayHTTPClient?
    }

    /// How often a request is sent to another process of the relay.
    private static let maximumMoves = 4

    /// How long before its end a session is replaced, in milliseconds.
    private static let renewalTime: Int64 = 60_000

    /// The connections to the relay's URL.
    private let base: RelayHTTPClient
    private let trust: RelayTrust
    private let key: IdentityKey
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    /// Creates a client. Nothing is connected yet.
    ///
    /// - Parameters:
    ///   - url: The relay's address, such as `https://relay.example.org`, with its ``RelayPin`` as the fragment if it has a
    ///     certificate of its own, and that of its next key after `&`. Plain `http` is for this machine only.
    ///   - key: The key to ask as.
    ///   - trust: Whom to believe about the relay's name.
    ///   - now: A closure that returns the time in milliseconds since 1970.
    /// - Throws: `invalidURL`.
    package init(
        _ url: String,
        as key: IdentityKey,
        trust: RelayTrust = .system,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
    ) throws(RelayClientError) {
        let location = try RelayLocation(url)
        base = try RelayHTTPClient(location, trust: trust, pins: location.pins)
        self.trust = trust
        self.key = key
        self.now = now
    }

    deinit {
        base.close()
        state.withLock { $0.process }?.close()
    }

    // MARK: Houses and feeds

    /// Registers a house, or replaces its owners.
    ///
    /// - Parameter token: The registration token, which a new house needs unless the relay is open.
    package func register(
        _ house: HouseID,
        owners: [PublicKey],
        token: String? = nil
    ) async throws(RelayClientError) {
        let headers = token.map { [("Hearth-Registration", $0)] } ?? []
        try await put("/v1/houses/\(house)", try Self.json(HouseRegistration(owners: owners)), headers)
    }

    /// Makes a feed, if it doesn't exist.
    package func makeFeed(_ feed: FeedID, in house: HouseID) async throws(RelayClientError) {
        try await put(Self.path(house, feed), Data())
    }

    /// Ends a feed.
    package func removeFeed(_ feed: FeedID, in house: HouseID) async throws(RelayClientError) {
        _ = try await ask(RelayHTTPRequest(method: .DELETE, path: Self.path(house, feed)))
    }

    /// Replaces the readers of a feed. Once this returns, streams of keys that are gone have ended.
    package func setReaders(_ list: ReaderList, of feed: FeedID, in house: HouseID) async throws(RelayClientError) {
        try await put("\(Self.path(house, feed))/readers", try Self.json(list))
    }

    /// Returns where a feed stands.
    package func status(of feed: FeedID, in house: HouseID) async throws(RelayClientError) -> FeedStatus {
        try Self.decode(try await get(Self.path(house, feed)))
    }

    // MARK: Entries

    /// Appends entries.
    ///
    /// - Returns: The results, in the order of the items.
    package func append(_ items: [AppendItem], to house: HouseID) async throws(RelayClientError) -> [AppendResult] {
        let body = AppendRequest(items).encoded
        let request = RelayHTTPRequest(method: .POST, path: "/v1/houses/\(house)/entries", body: body)
        let reply = try Self.read(try await ask(request)) { try AppendReply(json: $0) }
        guard reply.results.count == items.count else { throw .invalidAnswer("The relay answered other items.") }
        return reply.results
    }

    /// Returns the entries of a feed after a number.
    ///
    /// - Parameter seconds: How long the relay waits for entries if there are none.
    package func entries(
        of feed: FeedID,
        in house: HouseID,
        after number: Int64,
        limit: Int = RelayLimits.entriesPerPage,
        waitingFor seconds: Int = 0
    ) async throws(RelayClientError) -> [Data] {
        var path = "\(Self.path(house, feed))/entries?after=\(number)&limit=\(limit)"
        if seconds > 0 { path += "&wait=\(seconds)" }
        let request = RelayHTTPRequest(method: .GET, path: path, time: .seconds(30 + seconds))
        let body = try await ask(request)
        do throws(RelayError) {
            return try EntryList.decode(body)
        } catch {
            throw .invalidAnswer(error.reason)
        }
    }

    // MARK: Keys, beats, vault

    /// Stores an envelope.
    package func setEnvelope(
        _ envelope: StoredEnvelope,
        of feed: FeedID,
        in house: HouseID
    ) async throws(RelayClientError) {
        try await put(Self.path(house, feed, envelope.generation, envelope.device), envelope.bytes)
    }

    /// Returns an envelope.
    package func envelope(
        _ generation: Int64,
        to device: UUID,
        of feed: FeedID,
        in house: HouseID
    ) async throws(RelayClientError) -> Data {
        try await get(Self.path(house, feed, generation, device))
    }

    /// Stores the beat of a feed.
    package func setBeat(_ beat: Data, of feed: FeedID, in house: HouseID) async throws(RelayClientError) {
        try await put("\(Self.path(house, feed))/beat", beat)
    }

    /// Stores a piece of the vault.
    package func setPiece(_ piece: VaultPiece, in house: HouseID) async throws(RelayClientError) {
        let query = "version=\(piece.version)&piece=\(piece.piece)&of=\(piece.pieces)"
        try await put("/v1/houses/\(house)/vault?\(query)", piece.bytes)
    }

    /// Removes all versions of the vault.
    package func removeVault(of house: HouseID) async throws(RelayClientError) {
        _ = try await ask(RelayHTTPRequest(method: .DELETE, path: "/v1/houses/\(house)/vault"))
    }

    /// Returns the versions of the vault.
    package func vault(of house: HouseID) async throws(RelayClientError) -> VaultStatus {
        try Self.decode(try await get("/v1/houses/\(house)/vault"))
    }

    /// Returns a piece of the vault.
    package func piece(_ number: Int, version: Int64, of house: HouseID) async throws(RelayClientError) -> Data {
        try await get("/v1/houses/\(house)/vault?version=\(version)&piece=\(number)")
    }

    // MARK: Requests

    private static func path(_ house: HouseID, _ feed: FeedID) -> String { "/v1/houses/\(house)/feeds/\(feed)" }

    private static func path(_ house: HouseID, _ feed: FeedID, _ generation: Int64, _ device: UUID) -> String {
        "\(path(house, feed))/keys/\(generation)?to=\(device.uuidString)"
    }

    func put(
        _ path: String,
        _ body: Data,
        _ headers: [(String, String)] = []
    ) async throws(RelayClientError) {
        _ = try await ask(RelayHTTPRequest(method: .PUT, path: path, headers: headers, body: body))
    }

    func get(_ path: String) async throws(RelayClientError) -> Data {
        try await ask(RelayHTTPRequest(method: .GET, path: path))
    }

    /// Sends a request with a session, a new one if the relay wants it.
    func ask(_ request: RelayHTTPRequest) async throws(RelayClientError) -> Data {
        let (response, _) = try await following { http throws(RelayClientError) in
            var response = try await http.send(self.authorized(request, try await self.token(of: http)))
            if response.status == 401 {
                self.state.withLock { $0.session = nil }
                response = try await http.send(self.authorized(request, try await self.token(of: http)))
            }
            return (response, ())
        }
        guard (200..<300).contains(response.status) else { throw Self.error(in: response) }
        return response.body
    }

    /// Sends frames up a live stream.
    func sendFrames(_ frames: Data, _ order: Int64, to path: String) async throws(RelayClientError) {
        let headers = [("Hearth-Order", "\(order)")]
        _ = try await ask(RelayHTTPRequest(method: .POST, path: path, headers: headers, body: frames))
    }

    /// Closes the connections that wait for requests, because they may lead nowhere any more.
    func closeIdle() {
        base.closeIdle()
        state.withLock { $0.process }?.closeIdle()
    }

    /// Opens a stream with a session.
    func stream(
        _ path: String,
        deliver: @escaping @Sendable (Data) -> Void
    ) async throws(RelayClientError) -> (RelayHTTPResponse, any Channel) {
        let request = RelayHTTPRequest(method: .GET, path: path)
        return try await following { http throws(RelayClientError) in
            let token = try await self.token(of: http)
            let opened = try await http.stream(self.authorized(request, token), deliver: deliver)
            guard opened.0.status == 401 else { return opened }
            opened.1.close(promise: nil)
            self.state.withLock { $0.session = nil }
            return try await http.stream(
                self.authorized(request, try await self.token(of: http)),
                deliver: deliver
            )
        }
    }

    /// Sends a request to the process of the relay that serves the house: at first to the relay's URL, then to the process
    /// that it names, and to its URL again when that process can't be reached.
    private func following<Value>(
        _ send: (RelayHTTPClient) async throws(RelayClientError) -> (RelayHTTPResponse, Value)
    ) async throws(RelayClientError) -> (RelayHTTPResponse, Value) {
        var moves = 0
        while true {
            let http = state.withLock { $0.process } ?? base
            let answer: (response: RelayHTTPResponse, value: Value)
            do throws(RelayClientError) {
                answer = try await send(http)
            } catch {
                guard case .unreachable = error, http !== base, moves < Self.maximumMoves, !Task.isCancelled else {
                    throw error
                }
                moves += 1
                use(nil)
                continue
            }
            guard answer.response.status == 421, moves < Self.maximumMoves,
                case .refused(let refusal) = Self.error(in: answer.response), let url = refusal.at
            else { return answer }
            moves += 1
            let location = try RelayLocation(url)
            // A relay can't make its clients send something without encryption, or to a service of their own machine.
            guard location.isEncrypted || !base.location.isEncrypted else {
                throw .invalidAnswer("The relay names a process without encryption: \(url)")
            }
            // All processes of a relay that is recognized by its key have that key.
            let pins = base.location.pins
            use(location.isAt(base.location) ? nil : try RelayHTTPClient(location, trust: trust, pins: pins))
        }
    }

    private func use(_ process: RelayHTTPClient?) {
        let former = state.withLock { state in
            defer { state.process = process }
            return state.process
        }
        former?.close()
    }

    private func authorized(_ request: RelayHTTPRequest, _ token: String) -> RelayHTTPRequest {
        var request = request
        request.headers.append(("Authorization", "Bearer \(token)"))
        return request
    }

    // MARK: Sessions

    /// Returns the token of the session, which is opened if needed.
    ///
    /// All processes of a relay take each other's tokens.
    private func token(of http: RelayHTTPClient) async throws(RelayClientError) -> String {
        let (session, offset) = state.withLock { ($0.session, $0.clockOffset) }
        if let session, session.expires - Self.renewalTime > now() + offset { return session.token }
        var response = try await http.send(try proof(offset, for: http.location))
        if response.status == 401, case .refused(let error) = Self.error(in: response), let time = error.time {
            // The relay's clock counts: a home's clock may be wrong, and the relay decides about its own sessions.
            let offset = time - now()
            state.withLock { $0.clockOffset = offset }
            response = try await http.send(try proof(offset, for: http.location))
        }
        guard response.status == 200 else { throw Self.error(in: response) }
        let reply: SessionReply = try Self.decode(response.body)
        state.withLock { $0.session = reply }
        return reply.token
    }

    private func proof(_ offset: Int64, for location: RelayLocation) throws(RelayClientError) -> RelayHTTPRequest {
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<RelayLimits.nonceBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let proof: SessionProof
        do {
            proof = try SessionProof(by: key, host: location.authority, time: now() + offset, nonce: nonce)
        } catch {
            throw .invalidAnswer("The key can't sign: \(error)")
        }
        return RelayHTTPRequest(method: .POST, path: "/v1/session", body: try Self.json(proof))
    }

    // MARK: Answers

    static func error(in response: RelayHTTPResponse) -> RelayClientError {
        guard let error = try? JSONDecoder().decode(RelayError.self, from: response.body) else {
            return .invalidAnswer("The answer has the status \(response.status), and isn't a relay's.")
        }
        return .refused(error)
    }

    static func decode<Value: Decodable>(_ data: Data) throws(RelayClientError) -> Value {
        try read(data) { try JSONDecoder().decode(Value.self, from: $0) }
    }

    private static func read<Value>(_ data: Data, _ body: (Data) throws -> Value) throws(RelayClientError) -> Value {
        do {
            return try body(data)
        } catch {
            throw .invalidAnswer("The relay's answer can't be read.")
        }
    }

    private static func json(_ value: some Encodable) throws(RelayClientError) -> Data {
        do {
            return try JSONEncoder().encode(value)
        } catch {
            throw .invalidAnswer("The request can't be written: \(error)")
        }
    }
}
