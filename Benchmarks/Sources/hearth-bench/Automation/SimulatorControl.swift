import Foundation

/// A connection to a simulator's control socket, as Documentation/Simulator.md describes it.
///
/// This is a class because its socket is one.
final class SimulatorControl {
    private struct Reply<Result: Decodable>: Decodable {
        var result: Result?
    }

    private struct Events: Decodable {
        struct Event: Decodable {
            var event: String
            var accessory: String?
            var controller: String?
        }

        var next: UInt64
        var events: [Event]
    }

    private struct Ignored: Decodable {}

    private let socket: UnixSocket
    private var lastID = 0
    private var position: UInt64 = 0

    /// Connects, and follows the simulator's events from now on.
    init(path: String) throws {
        socket = try UnixSocket(path: path)
        position = try call("event.next", "{}", Events.self).next
    }

    /// Sets a value at an accessory.
    func set(_ characteristic: String, of accessory: String, to value: String) throws {
        try beginToSet(characteristic, of: accessory, to: value)
        _ = try reply(Ignored.self)
    }

    /// Returns the instance ID of the first characteristic of an accessory with a name or a UUID.
    func iid(of characteristic: String, in accessory: String) throws -> Int {
        struct Detail: Decodable {
            struct Service: Decodable {
                struct Characteristic: Decodable {
                    var name: String
                    var iid: Int
                }

                var characteristics: [Characteristic]
            }

            var services: [Service]
        }
        let detail = try call("accessory.show", #"{"accessory":"\#(accessory)"}"#, Detail.self)
        let characteristics = detail.services.flatMap(\.characteristics)
        guard let found = characteristics.first(where: { $0.name == characteristic }) else {
            throw BenchFailure("\(accessory) has no \(characteristic), but \(characteristics.map(\.name))")
        }
        return found.iid
    }

    /// Returns the time from setting a value until the simulator reports a value of another accessory, or the same.
    ///
    /// - Parameters:
    ///   - reported: The accessory whose value is awaited.
    ///   - isWritten: Whether a controller writes that value.
    ///   - setter: The connection that sets the value.
    func time(
        until reported: String,
        isWritten: Bool,
        by setter: SimulatorControl,
        setting characteristic: String,
        of accessory: String,
        to value: String
    ) throws -> Duration {
        try begin("event.next", #"{"after":\#(position)}"#)
        let start = ContinuousClock.now
        try setter.beginToSet(characteristic, of: accessory, to: value)
        while true {
            let line = try socket.line()
            let time = ContinuousClock.now - start
            let events = try Self.result(Events.self, in: line)
            position = events.next
            let isReported = events.events.contains {
                $0.event == "value" && $0.accessory == reported && ($0.controller != nil) == isWritten
            }
            if isReported {
                _ = try setter.reply(Ignored.self)
                return time
            }
            try begin("event.next", #"{"after":\#(position)}"#)
        }
    }

    private func beginToSet(_ characteristic: String, of accessory: String, to value: String) throws {
        let target = #""accessory":"\#(accessory)","characteristic":"\#(characteristic)""#
        try begin("value.set", #"{\#(target),"value":\#(value)}"#)
    }

    private func call<Result: Decodable>(
        _ method: String,
        _ parameters: String,
        _ type: Result.Type
    ) throws -> Result {
        try begin(method, parameters)
        return try reply(type)
    }

    private func begin(_ method: String, _ parameters: String) throws {
        lastID += 1
        try socket.send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(parameters)}"#)
    }

    private func reply<Result: Decodable>(_ type: Result.Type) throws -> Result {
        try Self.result(type, in: try socket.line())
    }

    private static func result<Result: Decodable>(_ type: Result.Type, in line: [UInt8]) throws -> Result {
        guard let result = try JSONDecoder().decode(Reply<Result>.self, from: Data(line)).result else {
            throw BenchFailure("the simulator: \(String(decoding: line, as: UTF8.self))")
        }
        return result
    }
}
