package import Foundation

/// The wire format: JSON-RPC 2.0, one message per line.
///
/// An event is a notification whose method is the event's name. An error's `data.code` is the ``RPCError/Code``.
package enum WireFormat<Event: RPCEvent> {
    /// The byte that ends each message. No message contains it, because JSON escapes it.
    package static var terminator: UInt8 { UInt8(ascii: "\n") }

    // MARK: Client to server

    /// Returns the line of a request, with its terminator.
    package static func line(_ request: RPCRequest) -> Data {
        var line = Data(#"{"jsonrpc":"2.0","id":\#(request.id),"method":"#.utf8)
        line.append(json(request.method))
        if let key = request.key { line.append(contentsOf: #","key":"\#(key.uuidString)""#.utf8) }
        if let until = request.until { line.append(contentsOf: #","until":\#(until)"#.utf8) }
        line.append(contentsOf: #","params":"#.utf8)
        line.append(request.parameters)
        return finished(line)
    }

    /// Reads a request from a line without its terminator.
    package static func request(from line: Data) throws(RPCError) -> RPCRequest {
        guard let members = JSONMembers(line) else {
            throw RPCError(.malformedMessage, "The message is not a JSON object.")
        }
        guard members["jsonrpc"].flatMap(text) == "2.0" else {
            throw RPCError(.malformedMessage, "The message lacks \"jsonrpc\": \"2.0\".")
        }
        guard let id = members["id"].flatMap(integer) else {
            throw RPCError(.malformedMessage, "The message has no \"id\" that is an integer.")
        }
        guard let method = members["method"].flatMap(text) else {
            throw RPCError(.malformedMessage, "The message has no \"method\" that is a string.")
        }
        var key: UUID?
        if let value = members["key"] {
            key = decoded(UUID.self, value)
            if key == nil { throw RPCError(.malformedMessage, "The message's \"key\" is not a UUID.") }
        }
        var until: Int64?
        if let value = members["until"] {
            until = integer(value).map(Int64.init)
            if until == nil { throw RPCError(.malformedMessage, "The message's \"until\" is not an integer.") }
        }
        return RPCRequest(
            id: id,
            method: method,
            parameters: members["params"] ?? Data("{}".utf8),
            key: key,
            until: until
        )
    }

    // MARK: Server to client

    /// Returns the line of a reply, with its terminator. `id` is `nil` if the request could not be read.
    package static func line(replyTo id: Int?, _ reply: RPCReply<Event.Position>) -> Data {
        var line = Data(#"{"jsonrpc":"2.0","id":\#(id.map(String.init) ?? "null"),"#.utf8)
        switch reply.result {
        case .success(let body):
            if !reply.follows.isEmpty { line.append(contentsOf: #""follows":[\#(Event.json(reply.follows))],"#.utf8) }
            line.append(contentsOf: #""result":"#.utf8)
            line.append(body)
        case .failure(let error):
            line.append(contentsOf: #""error":{"code":-32000,"message":"#.utf8)
            line.append(json(error.reason))
            line.append(contentsOf: #","data":"#.utf8)
            line.append(json(error))
            line.append(contentsOf: "}".utf8)
        }
        return finished(line)
    }

    /// Returns the line of an event, with its terminator.
    package static func line(_ event: Event) throws -> Data {
        var line = Data(#"{"jsonrpc":"2.0","method":"\#(event.method)","params":"#.utf8)
        line.append(try event.payload())
        return finished(line)
    }

    /// Reads a server's message from a line without its terminator; `nil` for an event of a newer version.
    package static func message(from line: Data) throws(RPCError) -> RPCMessage<Event>? {
        guard let members = JSONMembers(line) else {
            throw RPCError(.malformedMessage, "The server sent a message that is not a JSON object.")
        }
        if let method = members["method"].flatMap(text) {
            do {
                return try Event(method: method, payload: members["params"] ?? Data()).map { .event($0) }
            } catch {
                throw RPCError(.malformedMessage, "The event \(method) has an unexpected form: \(error).")
            }
        }
        if let error = members["error"].flatMap({ decoded(WireError.self, $0) }), let name = error.data.code {
            let code = RPCError.Code(rawValue: name)
            let failure = RPCError(code, error.message, problem: error.data.trouble, parts: error.data.parts)
            guard let id = members["id"].flatMap(integer) else { return .closed(failure) }
            return .reply(id: id, .failure(failure))
        }
        guard let id = members["id"].flatMap(integer), let result = members["result"] else {
            throw RPCError(.malformedMessage, "The server sent a message that is neither a reply nor an event.")
        }
        guard let positions = members["follows"] else { return .reply(id: id, .success(result)) }
        guard let follows = decoded([Event.Position].self, positions) else {
            throw RPCError(.malformedMessage, "The server sent a reply whose \"follows\" is not an array of positions.")
        }
        return .reply(id: id, RPCReply(.success(result), follows: follows))
    }

    // MARK: Parts

    private struct WireError: Decodable {
        var message: String
        var data: RPCErrorDetails
    }

    private static func json(_ error: RPCError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var details = RPCErrorDetails(error)
        if let data = try? encoder.encode(details) { return data }
        // JSON has no numbers that aren't finite.
        details.parts = nil
        return (try? encoder.encode(details)) ?? Data("{}".utf8)
    }

    private static func json(_ string: String) -> Data {
        // Encoding can't fail: once escaped, any String is valid JSON.
        (try? JSONEncoder().encode(string)) ?? Data("\"\"".utf8)
    }

    /// Decodes a string. Most have no escapes, and are read without a decoder.
    private static func text(_ bytes: Data) -> String? {
        scanned(bytes) { $0.plainString() } ?? decoded(String.self, bytes)
    }

    /// Decodes an integer. Most have few digits, and are read without a decoder.
    private static func integer(_ bytes: Data) -> Int? {
        scanned(bytes) { $0.smallInteger().map(Int.init) } ?? decoded(Int.self, bytes)
    }

    /// Returns what a closure reads, if it is all that there is.
    private static func scanned<Value>(_ bytes: Data, _ read: (inout JSONScanner) -> Value?) -> Value? {
        bytes.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            let value = read(&scanner)
            return scanner.next() == nil ? value : nil
        }
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
