package import HAP
package import HAPCatalog

// A controller's requests on a verified connection.
extension DirectConnection {
    /// Reads the attribute database.
    ///
    /// - Throws: ``AccessoryFailure``, with ``AccessoryFailure/malformedAnswer(_:)`` if the database is invalid.
    package func attributes() async throws(AccessoryFailure) -> [AccessoryAttributes] {
        let response = try await answer(to: HTTPRequest(.get, HAPEndpoint.accessories.path, host: host))
        if let refusal = response.refusal { throw refusal }
        do {
            return try AttributeDatabase(decoding: response.body).accessories
        } catch {
            throw .malformedAnswer(error.description)
        }
    }

    /// Reads values, without conversion. Characteristics that the response lacks have no outcome.
    package func read(
        _ ids: [CharacteristicID]
    ) async throws(AccessoryFailure) -> [CharacteristicID: Result<CharacteristicValue?, AccessoryFailure>] {
        let response = try await answer(to: CharacteristicReadRequest(ids: ids).request(host: host))
        let entries: [CharacteristicReadResponse.Entry]
        do {
            entries = try CharacteristicReadResponse(decoding: response.body).entries
        } catch {
            throw response.refusal ?? response.failureInBody(orMalformed: error) ?? .malformedAnswer(error.description)
        }
        let outcomes = entries.map { entry -> (CharacteristicID, Result<CharacteristicValue?, AccessoryFailure>) in
            (entry.id, entry.status.isSuccess ? .success(entry.value) : .failure(.status(entry.status)))
        }
        return Dictionary(outcomes) { first, _ in first }
    }

    /// Subscribes this connection to events, and returns the characteristics whose subscription the accessory rejected.
    package func subscribe(_ ids: [CharacteristicID]) async throws(AccessoryFailure) -> Set<CharacteristicID> {
        let request = CharacteristicWriteRequest(entries: ids.map { .init(id: $0, events: true) })
        let response = try await answer(to: request.request(host: host))
        if let refusal = response.refusalOfWholeWrite { throw refusal }
        let answers = (try? CharacteristicWriteResponse(decoding: response.body).entries) ?? []
        return Set(answers.filter { !$0.status.isSuccess }.map(\.id))
    }

    private func answer(to request: HTTPRequest) async throws(AccessoryFailure) -> HTTPResponse {
        do {
            return try await ask(request)
        } catch {
            throw .unreachable(error)
        }
    }
}
