import Foundation

/// A client that uses only a hub's socket, as Documentation/HubProtocol.md describes it.
final class HubClient {
    // This is a class because its socket is one.

    private struct Call: Decodable {
        var id: Int?
    }

    private struct Reply<Result: Decodable>: Decodable {
        var result: Result?
    }

    private struct AddedItem: Decodable {
        var id: String?
    }

    let socket: UnixSocket
    /// The length of the initial state of the homes, in bytes.
    var resetLength: Int { reset.count }
    /// The initial state of the homes, as received.
    let reset: [UInt8]
    private var lastID = 1

    /// Connects, sends `session.hello`, and waits for the initial state.
    init(path: String) throws {
        socket = try UnixSocket(path: path)
        let hello = #"{"version":7,"app":"hearth.bench","purpose":"Measures."}"#
        try socket.send(#"{"jsonrpc":"2.0","id":1,"method":"session.hello","params":\#(hello)}"#)
        reset = try socket.line()
        _ = try socket.line()
    }

    /// Returns an accessory with a characteristic that has the value ``SimulatedHome/brightness`` in the initial state.
    func lamp() throws -> (accessory: String, iid: String)? {
        struct Value: Decodable {
            var number: Int?

            init(from decoder: any Decoder) throws {
                number = try? decoder.singleValueContainer().decode(Int.self)
            }
        }
        struct Group: Decodable {
            var accessory: String
            var values: [String: Value]
        }
        struct Picture: Decodable {
            var values: [Group]
        }
        struct Reset: Decodable {
            var params: Picture
        }
        for group in try JSONDecoder().decode(Reset.self, from: Data(reset)).params.values {
            let indices = group.values.filter { $0.value.number == SimulatedHome.brightness }.keys
            if let first = indices.compactMap({ Int($0) }).min() { return (group.accessory, String(first)) }
        }
        return nil
    }

    /// Calls a method and waits for the reply, skipping events.
    ///
    /// - Returns: The ID in the reply, if any.
    @discardableResult
    func call(_ method: String, _ parameters: String) throws -> String {
        try call(method, parameters, AddedItem.self).id ?? ""
    }

    /// Calls a method and waits for its result, skipping events.
    func call<Result: Decodable>(_ method: String, _ parameters: String, _ type: Result.Type) throws -> Result {
        let id = try begin(method, parameters)
        while true {
            let line = try socket.line()
            guard Self.isReply(line), try JSONDecoder().decode(Call.self, from: Data(line)).id == id else { continue }
            guard let result = try JSONDecoder().decode(Reply<Result>.self, from: Data(line)).result else {
                throw BenchFailure("\(method): \(String(decoding: line, as: UTF8.self))")
            }
            return result
        }
    }

    /// Makes calls without waiting for each, and then waits for all replies, skipping events.
    func callAll(_ calls: [(method: String, parameters: String)]) throws {
        for (method, parameters) in calls { _ = try begin(method, parameters) }
        var left = calls.count
        while left > 0 {
            let line = try socket.line()
            guard Self.isReply(line) else { continue }
            guard try JSONDecoder().decode(Reply<AddedItem>.self, from: Data(line)).result != nil else {
                throw BenchFailure(String(decoding: line, as: UTF8.self))
            }
            left -= 1
        }
    }

    /// Returns whether a message from the hub is a reply rather than an event.
    private static func isReply(_ line: [UInt8]) -> Bool {
        line.starts(with: #"{"jsonrpc":"2.0","id":"#.utf8)
    }

    /// Sends a call without waiting.
    func begin(_ method: String, _ parameters: String) throws -> Int {
        lastID += 1
        try socket.send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(parameters)}"#)
        return lastID
    }
}
