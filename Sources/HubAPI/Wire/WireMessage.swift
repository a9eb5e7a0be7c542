package import Foundation

/// JSON-RPC 2.0, a message a line: the form of requests, replies and events on sockets.
///
/// An event is a notification whose method is the event's name. An error's `data.code` is the ``HubError/Code``.
package enum WireMessage {
    /// Ends each message; none is inside one, for JSON escapes it.
    package static let terminator = UInt8(ascii: "\n")

    // MARK: Client to hub

    /// The line of a request, with its terminator.
    package static func line(_ request: HubRequest) -> Data {
        var line = Data(#"{"jsonrpc":"2.0","id":\#(request.id),"method":"#.utf8)
        line.append(json(request.method))
        if let key = request.key { line.append(contentsOf: #","key":"\#(key.uuidString)""#.utf8) }
        line.append(contentsOf: #","params":"#.utf8)
        line.append(request.parameters)
        return finished(line)
    }

    /// Reads a request from a line without its terminator.
    package static func request(from line: Data) throws(HubError) -> HubRequest {
        guard let members = JSONMembers(line) else {
            throw HubError(.malformedMessage, "The message is not a JSON object.")
        }
        guard members["jsonrpc"].flatMap({ decoded(String.self, $0) }) == "2.0" else {
            throw HubError(.malformedMessage, "The message does not say \"jsonrpc\": \"2.0\".")
        }
        guard let id = members["id"].flatMap({ decoded(Int.self, $0) }) else {
            throw HubError(.malformedMessage, "The message has no \"id\" that is an integer.")
        }
        guard let method = members["method"].flatMap({ decoded(String.self, $0) }) else {
            throw HubError(.malformedMessage, "The message has no \"method\" that is a string.")
        }
        var key: UUID?
        if let given = members["key"] {
            key = decoded(UUID.self, given)
            if key == nil { throw HubError(.malformedMessage, "The message's \"key\" is no UUID.") }
        }
        return HubRequest(id: id, method: method, parameters: members["params"] ?? Data("{}".utf8), key: key)
    }

    // MARK: Hub to client

    /// The line of a reply, with its terminator. `id` is nil when the request could not be read.
    package static func line(replyTo id: Int?, _ reply: HubReply) -> Data {
        var line = Data(#"{"jsonrpc":"2.0","id":\#(id.map(String.init) ?? "null"),"#.utf8)
        switch reply.result {
        case .success(let body):
            if !reply.follows.isEmpty { line.append(contentsOf: #""follows":[\#(places(reply.follows))],"#.utf8) }
            line.append(contentsOf: #""result":"#.utf8)
            line.append(body)
        case .failure(let error):
            line.append(contentsOf: #""error":{"code":-32000,"message":"#.utf8)
            line.append(json(error.reason))
            line.append(contentsOf: #","data":{"code":"#.utf8)
            line.append(json(error.code.rawValue))
            if let trouble = error.trouble {
                line.append(contentsOf: #","trouble":"#.utf8)
                line.append(json(trouble.rawValue))
            }
            line.append(contentsOf: "}}".utf8)
        }
        return finished(line)
    }

    /// The line of an event, with its terminator.
    package static func line(_ event: HubEvent) throws -> Data {
        var line = Data(#"{"jsonrpc":"2.0","method":"\#(event.name.rawValue)","params":"#.utf8)
        line.append(try event.payload())
        return finished(line)
    }

    /// Reads a message of the hub from a line without its terminator; nil for an event of a newer version.
    package static func message(from line: Data) throws(HubError) -> HubMessage? {
        guard let members = JSONMembers(line) else {
            throw HubError(.malformedMessage, "The hub sent something that is not a JSON object.")
        }
        if let method = members["method"].flatMap({ decoded(String.self, $0) }) {
            guard let name = HubEvent.Name(rawValue: method) else { return nil }
            do {
                return .event(try HubEvent(name: name, payload: members["params"] ?? Data()))
            } catch {
                throw HubError(.malformedMessage, "The hub's event \(method) is not of the expected form: \(error).")
            }
        }
        if let error = members["error"].flatMap({ decoded(WireError.self, $0) }) {
            let code = HubError.Code(rawValue: error.data.code)
            let failure = HubError(code, error.message, trouble: error.data.trouble)
            guard let id = members["id"].flatMap({ decoded(Int.self, $0) }) else { return .closed(failure) }
            return .reply(id: id, .failure(failure))
        }
        guard let id = members["id"].flatMap({ decoded(Int.self, $0) }), let result = members["result"] else {
            throw HubError(.malformedMessage, "The hub sent a message that is neither a reply nor an event.")
        }
        guard let places = members["follows"] else { return .reply(id: id, .success(result)) }
        guard let follows = decoded([LogPlace].self, places) else {
            throw HubError(.malformedMessage, "The hub sent a reply whose \"follows\" is no array of places in logs.")
        }
        return .reply(id: id, HubReply(.success(result), follows: follows))
    }

    // MARK: Parts

    private struct WireError: Decodable {
        struct Details: Decodable {
            var code: String
            var trouble: AccessoryTrouble?
        }

        var message: String
        var data: Details
    }

    private static func places(_ places: [LogPlace]) -> String {
        // By hand: every change waits for it.
        places.map { place in
            let home = place.home.map { #""home":"\#($0.uuidString)","# } ?? ""
            return #"{\#(home)"lineage":"\#(place.lineage.uuidString)","revision":\#(place.revision)}"#
        }
        .joined(separator: ",")
    }

    private static func json(_ string: String) -> Data {
        // A String is always valid JSON text once escaped, so there is nothing to report.
        (try? JSONEncoder().encode(string)) ?? Data("\"\"".utf8)
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: Data) -> Value? {
        try? JSONDecoder().decode(type, from: bytes)
    }

    private static func finished(_ line: Data) -> Data {
        var line = line
        line.append(contentsOf: [UInt8(ascii: "}"), terminator])
        return line
    }
}
