import Foundation

/// A client that uses only a hub's socket, as Documentation/HubProtocol.md describes it.
final class HubClient {
    // This is a class because its socket is one.

    private struct Reply: Decodable {
        struct Result: Decodable {
            var id: String?
        }

        var id: Int?
        var method: String?
        var result: Result?
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
        let hello = #"{"version":4,"app":"hearth.bench","purpose":"Measures."}"#
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
        let id = try begin(method, parameters)
        while true {
            let line = try socket.line()
            let reply = try JSONDecoder().decode(Reply.self, from: Data(line))
            guard reply.id == id else { continue }
            guard let result = reply.result else {
                throw BenchFailure("\(method): \(String(decoding: line, as: UTF8.self))")
            }
            return result.id ?? ""
        }
    }

    /// Sends a call without waiting.
    func begin(_ method: String, _ parameters: String) throws -> Int {
        lastID += 1
        try socket.send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(parameters)}"#)
        return lastID
    }
}
