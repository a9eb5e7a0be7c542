import Glibc
import HAP

extension PairedServer {
    private var clock: ProcessorClock { server.clock }

    /// Measures a read's processor time in microseconds.
    func measureReads(_ count: Int) throws -> Double {
        try measure(count, .ok) { $0.read(lamp) }
    }

    /// Measures the processor time of a request that reads 16 characteristics, in microseconds.
    func measureReadsOfMany(_ count: Int) throws -> Double {
        try measure(count, .ok) { $0.read(Array(lamps.prefix(Effort.manyCharacteristics))) }
    }

    /// Returns the lengths of a read and a write, and of their responses, before their encryption.
    func exchangeLengths() throws -> (read: (request: Int, answer: Int), write: (request: Int, answer: Int)) {
        let connection = try verified()
        let (read, write) = (connection.read(lamp), connection.write(lamp, nextValue(of: lamp)))
        let answers = (try connection.ask(read), try connection.ask(write))
        return (
            (read.encoded().count, answers.0.encoded().count),
            (write.encoded().count, answers.1.encoded().count)
        )
    }

    /// Measures the processor time of a write that changes the value, in microseconds.
    func measureWrites(_ count: Int) throws -> Double {
        try measure(count, .noContent) { $0.write(lamp, nextValue(of: lamp)) }
    }

    /// Measures the processor time of reading everything, in milliseconds.
    func measureDatabases(_ count: Int, changing: Bool) throws -> Double {
        let connection = try verified()
        let request = connection.accessories
        var total = Duration.zero
        for index in 0..<count {
            if changing {
                let lamp = lamps[index * 37 % lamps.count]
                try Self.expect(.noContent, try connection.ask(connection.write(lamp, nextValue(of: lamp))))
            }
            total += try clock.time { try Self.expect(.ok, try connection.ask(request)) }
        }
        return total.milliseconds / Double(count)
    }

    /// Measures the processor time of pair verify in microseconds: alone, and including opening and closing the
    /// connection.
    func measureVerifications(_ count: Int) throws -> (alone: Double, whole: Double) {
        let whole = try each(count) { _ = try verified() }
        var connections: [ControllerConnection] = []
        var alone = Duration.zero
        // In batches, because servers limit unverified connections.
        for part in stride(from: 0, to: count, by: 30) {
            connections = try (part..<min(part + 30, count)).map { _ in try ControllerConnection(port: server.port) }
            alone += try clock.time { for connection in connections { try verify(connection) } }
        }
        return (alone.microseconds / Double(count), whole)
    }

    /// Reads on several connections in parallel, with one request in progress on each.
    ///
    /// - Returns: The requests per second, and the length of a response.
    func measureThroughput(_ count: Int) throws -> (rate: Double, answerLength: Int) {
        let connections = try (0..<Effort.parallelConnections).map { _ in try verified() }
        let result = try exchange(count, on: connections, .ok) { $0.read(lamp) }
        return (result.rate, result.answerLength)
    }

    /// Sends requests on each connection, one after another. All responses have the same length.
    ///
    /// They are encrypted before and decrypted after the measured time, so that the client isn't the bottleneck and
    /// doesn't push the server's code and data out of the core's caches more than it must.
    private func exchange(
        _ count: Int,
        on connections: [ControllerConnection],
        _ status: HTTPStatus,
        _ request: (ControllerConnection) -> HTTPRequest
    ) throws -> (rate: Double, time: Duration, answerLength: Int) {
        var answerLength = 0
        for connection in connections {
            try connection.send(request(connection))
            let answer = Array(try connection.socket.receive())
            answerLength = answer.count
            try connection.take(answer)
            try Self.expectResponse(status, on: connection)
        }
        let requests = try connections.map { connection in
            try (0..<count).map { _ in try connection.seal(request(connection)) }
        }
        var result: (rate: Double, answers: [[UInt8]]) = (0, [])
        let time = try clock.time {
            result = try Self.exchange(requests, connections.map(\.socket), answerLength: answerLength)
        }
        for (connection, answer) in zip(connections, result.answers) {
            try connection.take(answer)
            for _ in 0..<count { try Self.expectResponse(status, on: connection) }
        }
        return (result.rate, time, answerLength)
    }

    /// Sends requests on each socket, one after another. A response has a known length.
    ///
    /// - Returns: The requests per second over all sockets, and the responses on each.
    static func exchange(
        _ requests: [[[UInt8]]],
        _ sockets: [Socket],
        answerLength: Int
    ) throws -> (rate: Double, answers: [[UInt8]]) {
        let count = requests.first?.count ?? 0
        var answers = sockets.map { _ in [UInt8]() }
        for index in answers.indices { answers[index].reserveCapacity(count * answerLength) }
        let start = ContinuousClock.now
        for (socket, requests) in zip(sockets, requests) { try socket.send(requests[0]) }
        for number in 1...count {
            for (index, socket) in sockets.enumerated() {
                answers[index] += try socket.receive(exactly: answerLength)
                if number < count { try socket.send(requests[index][number]) }
            }
        }
        let time = ContinuousClock.now - start
        return (Double(count * sockets.count) / (time / .seconds(1)), answers)
    }

    /// Measures each subscriber's latency of a write's event, in milliseconds from before sending the write.
    ///
    /// - Parameter idle: A delay longer than the servers' time for coalescing events.
    func measureEvents(_ count: Int, idle: Duration) throws -> [Double] {
        let writer = try verified()
        let subscribers = try (0..<Effort.parallelConnections).map { _ in try verified() }
        for subscriber in subscribers {
            try Self.expect(.noContent, try subscriber.ask(subscriber.write(lamp, nil, events: true)))
        }
        var delays: [Double] = []
        for _ in 0..<count {
            usleep(useconds_t(idle.microseconds))
            let request = try writer.seal(writer.write(lamp, nextValue(of: lamp)))
            let start = ContinuousClock.now
            try writer.socket.send(request)
            delays += try Self.awaitEvents(subscribers).map { ($0 - start).milliseconds }
            guard case .response = try writer.next() else { throw BenchFailure("the writer received its own event") }
        }
        return delays
    }

    /// Returns the time when each connection received an event.
    private static func awaitEvents(_ connections: [ControllerConnection]) throws -> [ContinuousClock.Instant] {
        var watched = connections.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
        var received: [(connection: ControllerConnection, bytes: [UInt8], at: ContinuousClock.Instant)] = []
        while received.count < connections.count {
            guard poll(&watched, nfds_t(watched.count), 10_000) > 0 else { throw BenchFailure("an event is missing") }
            for index in watched.indices where watched[index].revents != 0 {
                let bytes = Array(try connections[index].socket.receive())
                received.append((connections[index], bytes, .now))
                watched[index].fd = -1
            }
        }
        for (connection, bytes, _) in received {
            try connection.take(bytes)
            guard case .event = try connection.next() else { throw BenchFailure("not an event") }
        }
        return received.map(\.at)
    }

    /// Opens and closes connections. Every other one verifies.
    func receiveVisitors(_ count: Int) throws {
        for number in 0..<count {
            if number.isMultiple(of: 2) {
                _ = try verified()
            } else {
                let connection = try ControllerConnection(port: server.port)
                _ = try connection.ask(connection.accessories)
            }
        }
    }

    /// Returns the processor time of a request on one connection, in microseconds.
    private func measure(
        _ count: Int,
        _ status: HTTPStatus,
        _ request: (ControllerConnection) -> HTTPRequest
    ) throws -> Double {
        try exchange(count, on: [verified()], status, request).time.microseconds / Double(count)
    }

    /// Returns the processor time of a repeated operation, in microseconds per repetition.
    private func each(_ count: Int, _ work: () throws -> Void) throws -> Double {
        try work()
        return try clock.time { for _ in 0..<count { try work() } }.microseconds / Double(count)
    }

    private static func expectResponse(_ status: HTTPStatus, on connection: ControllerConnection) throws {
        guard case .response(let response) = try connection.next() else { throw BenchFailure("not a response") }
        try expect(status, response)
    }

    private static func expect(_ status: HTTPStatus, _ response: HTTPResponse) throws {
        guard response.status == status else { throw BenchFailure("expected \(status) instead of \(response.status)") }
    }
}
