import AirPlay
import AirPlayNetwork
import DNSSD
import Foundation
import HAP
import MediaRouting
import PeerProcess
import Synchronization

/// A receiver on the loopback interface, chosen for this process's apps, and what it got.
final class TestReceiver: Sendable {
    /// The file with the choice of this process.
    static let routeFile: RouteFile = {
        let path = NSTemporaryDirectory() + "hearth-route-\(UUID()).json"
        setenv(RouteFile.variable, path, 1)
        let file = RouteFile(path: path)
        // Whatever looks for receivers first decides where all tests look.
        do {
            try file.write(RouteChoice(interfaces: ["127.0.0.1"]))
        } catch {
            preconditionFailure("\(path) can't be written: \(error)")
        }
        return file
    }()

    private struct Received {
        var audio: [UInt8] = []
        var nowPlaying = NowPlaying()
        /// The numbers of bytes that had been received at each flush.
        var flushes: [Int] = []
    }

    private let record: ReceiverRecord
    let port: Int
    private let received = Mutex(Received())
    private let receiver: AirPlayReceiver
    private let discovery: MulticastDNS

    private init(record: ReceiverRecord, port: Int, receiver: AirPlayReceiver, discovery: MulticastDNS) {
        (self.record, self.port, self.receiver, self.discovery) = (record, port, receiver, discovery)
    }

    var name: String { record.name }

    /// What a receiver demands of senders.
    struct Demands: Sendable {
        /// Who may pair with AirPlay 2, or `nil` for the classic protocol.
        var admission: ReceiverPairings.Admission?
        var password: String?
        /// The port, or 0 for any.
        var port = 0
    }

    /// Starts a receiver.
    static func start(
        _ demands: Demands = Demands(),
        name: String? = nil,
        isAdvertised: Bool = false
    ) async throws -> TestReceiver {
        let name = name ?? "Room \(UUID().uuidString.prefix(8))"
        let reference = Reference()
        var record = ReceiverRecord(deviceID: ReceiverRecord.deviceID(of: name), name: name)
        record.needsPassword = demands.password != nil
        var parameters = AirPlayReceiver.Configuration(
            address: "127.0.0.1",
            port: demands.port,
            password: demands.password
        )
        if let admission = demands.admission {
            var random = SystemRandomNumberGenerator()
            let identity = AccessoryIdentity.random(using: &random)
            record.addAirPlay2(identity, needsPIN: admission != .anyone)
            let pairings = ReceiverPairings(identity: identity, pairings: [], admission: admission, using: &random)
            parameters.airPlay2 = (record, pairings)
        }
        let receiver = AirPlayReceiver(
            parameters,
            handlers: ReceiverHandlers { samples in
                reference.receiver?.received.withLock { $0.audio += samples }
            } event: { event in
                reference.receiver?.handle(event)
            }
        )
        let port = try await receiver.start()
        let discovery = try await MulticastDNS(interfaces: ["127.0.0.1"])
        let test = TestReceiver(record: record, port: port, receiver: receiver, discovery: discovery)
        reference.receiver = test
        if isAdvertised { try await test.advertise() }
        return test
    }

    /// Runs a test with a receiver, which is chosen unless the test does that itself.
    static func with(
        _ demands: Demands = Demands(),
        isChosen: Bool = true,
        isAdvertised: Bool = false,
        _ body: (TestReceiver) async throws -> Void
    ) async throws {
        let receiver = try await start(demands, isAdvertised: isAdvertised)
        try await choose(isChosen ? [receiver] : [], for: [receiver]) { try await body(receiver) }
    }

    /// Runs a test with several receivers, which are chosen.
    static func withSeveral(_ count: Int, _ body: ([TestReceiver]) async throws -> Void) async throws {
        var receivers: [TestReceiver] = []
        for _ in 0..<count { receivers.append(try await start()) }
        try await choose(receivers, for: receivers) { try await body(receivers) }
    }

    private static func choose(
        _ chosen: [TestReceiver],
        for receivers: [TestReceiver],
        _ body: () async throws -> Void
    ) async throws {
        let choice = RouteChoice(
            chosen.map { RouteChoice.Receiver(name: $0.name, host: "127.0.0.1", port: $0.port) },
            interfaces: ["127.0.0.1"]
        )
        try routeFile.write(choice)
        MediaRoutes.shared.update()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        try routeFile.write(RouteChoice(interfaces: ["127.0.0.1"]))
        MediaRoutes.shared.update()
        MediaRoutes.shared.isLongForm = false
        for receiver in receivers { await receiver.stop() }
        try result.get()
    }

    private func advertise() async throws {
        let entries = record.txt.map { TXTRecord.Entry(key: $0.key, value: Array($0.value.utf8)) }
        _ = try await discovery.advertise(
            ServiceAdvertisement(
                instanceName: record.instanceName,
                type: try ServiceType(ReceiverRecord.serviceType),
                port: UInt16(port),
                txt: TXTRecord(entries: entries)
            )
        )
    }

    /// Announces that the receiver plays video.
    func advertiseVideo(name: String) async throws {
        _ = try await discovery.advertise(
            ServiceAdvertisement(
                instanceName: name,
                type: try ServiceType("_airplay._tcp"),
                port: 7_000,
                txt: ["features": "0x445F8A01,0x1C340"]
            )
        )
    }

    private func handle(_ event: ReceiverEvent) {
        received.withLock { received in
            switch event {
            case .nowPlaying(let nowPlaying): received.nowPlaying = nowPlaying
            case .flushed: received.flushes.append(received.audio.count)
            default: break
            }
        }
    }

    /// Sends a command as a button on the receiver does. Returns whether the app's service accepted it.
    func press(_ command: String) async throws -> Bool {
        try await Wait.until("the app plays to the receiver") { await self.receiver.remoteControl != nil }
        guard let address = await receiver.remoteControl else { return false }
        let service = ServiceInstance(
            name: address.instanceName,
            type: try ServiceType(ReceiverRecord.remoteControlType)
        )
        try await Wait.until("the app's service is announced") {
            (try? await self.discovery.resolve(service, within: .seconds(5))) != nil
        }
        return await RemoteControlClient(address: address, discovery: discovery)
            .send(RemoteCommand(rawValue: command))
    }

    /// Ends the receiver.
    func stop() async {
        await receiver.stop()
        await discovery.shutdown()
    }

    /// The newest relation of frames and time that the sender told.
    var sync: SyncPacket? { get async { await receiver.sync } }

    var nowPlaying: NowPlaying { received.withLock { $0.nowPlaying } }
    var flushCount: Int { received.withLock { $0.flushes.count } }
    var byteCount: Int { received.withLock { $0.audio.count } }

    /// The samples since the last flush.
    var samplesSinceFlush: [Int16] {
        let bytes = received.withLock { received in received.audio.dropFirst(received.flushes.last ?? 0) }
        return Array(bytes).withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
            }
        }
    }

    /// Waits until the samples since the last flush begin with other samples.
    func waitFor(_ samples: [Int16]) async throws {
        try await Wait.until("the samples arrive") { self.samplesSinceFlush.count >= samples.count }
        let received = samplesSinceFlush
        if received.starts(with: samples) { return }
        throw Difference(
            index: zip(received, samples).enumerated().first { $0.element.0 != $0.element.1 }?.offset,
            received: received.count,
            flushes: flushCount
        )
    }

    /// Other samples than those that are expected.
    struct Difference: Error {
        /// The first sample that differs, or `nil` if there are too few.
        var index: Int?
        /// The number of samples since the last flush.
        var received: Int
        var flushes: Int
    }

    private final class Reference: Sendable {
        private let box = Mutex<TestReceiver?>(nil)

        var receiver: TestReceiver? {
            get { box.withLock { $0 } }
            set { box.withLock { $0 = newValue } }
        }
    }
}

/// Noise, of which any part is unlike any other.
enum Noise {
    static func samples(frameCount: Int, seed: UInt32 = 1) -> [Int16] {
        var state = seed
        return (0..<frameCount * 2).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int16(truncatingIfNeeded: state >> 16) / 4
        }
    }

    /// Writes a WAV file, for as long as a test runs.
    static func withFile(_ samples: [Int16], _ body: (URL) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "noise-\(UUID()).wav")
        defer { try? FileManager.default.removeItem(at: url) }
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        let header =
            Array("RIFF".utf8) + little(36 + samples.count * 2, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
            + little(1, 2) + little(2, 2) + little(44_100, 4) + little(176_400, 4) + little(4, 2) + little(16, 2)
            + Array("data".utf8) + little(samples.count * 2, 4)
        var data = Data(header)
        samples.withUnsafeBytes { data.append(contentsOf: $0) }
        try data.write(to: url)
        try await body(url)
    }
}
