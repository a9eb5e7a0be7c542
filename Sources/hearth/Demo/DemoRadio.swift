import AirPlay
import AirPlayNetwork
import DNSSD
import Foundation
import MediaRouting
import Synchronization

/// A radio that plays in the demo, and a speaker on the loopback interface that it can play to. The speaker is silent.
///
/// This is a class because its output, its speaker and the demo share it.
final class DemoRadio: Sendable {
    /// A piece of the radio's program.
    private struct Piece: Sendable {
        var title: String
        /// The notes, as half-tones from A.
        var notes: [Int]
    }

    private static let pieces = [
        Piece(title: "Upstairs", notes: [0, 4, 7, 12, 7, 4]), Piece(title: "Downstairs", notes: [12, 9, 5, 0, 5, 9]),
        Piece(title: "In the Garden", notes: [3, 7, 10, 15, 10, 7]),
    ]
    private static let pieceLength = 180.0
    private static let speaker = "Demo Speaker"

    private struct State {
        var piece = 0
        /// The frames of the piece that were played.
        var frame = 0
        var output: MediaRouting.AudioOutput?
        var isPlaying = false
    }

    private let routes: MediaRoutes
    private let receiver = AirPlayReceiver(
        .init(address: DemoEnvironment.interface),
        handlers: ReceiverHandlers { _ in }
    )
    private let discovery: MulticastDNS
    private let state = Mutex(State())

    /// Starts the radio and the speaker.
    ///
    /// - Parameter file: The file with the demo's choice of a receiver.
    init(_ file: RouteFile) async throws {
        try file.write(RouteChoice(interfaces: [DemoEnvironment.interface]))
        routes = MediaRoutes(file)
        discovery = try await MulticastDNS(interfaces: [InterfaceSelector(DemoEnvironment.interface)])
        let record = ReceiverRecord(deviceID: ReceiverRecord.deviceID(of: Self.speaker), name: Self.speaker)
        _ = try await discovery.advertise(
            ServiceAdvertisement(
                instanceName: record.instanceName,
                type: try ServiceType(ReceiverRecord.serviceType),
                port: UInt16(try await receiver.start()),
                txt: TXTRecord(entries: record.txt.map { TXTRecord.Entry(key: $0.key, value: Array($0.value.utf8)) })
            )
        )
        routes.isLongForm = true
        let output = MediaRouting.AudioOutput(routes, soundCard: MediaRouting.AudioOutput.noSoundCard) { [weak self] in
            self?.samples($0) ?? Array(repeating: 0, count: $0 * 2)
        } event: {
            [weak self] in
            // The speaker is busy, or gone.
            if $0 == .failed { self?.pause() }
        }
        state.withLock { $0.output = output }
        _ = routes.observe { [weak self] change in
            if change == .choice { self?.restart() }
            output.routesDidChange(change)
        }
        routes.setCommandHandler { [weak self] in self?.handle($0) ?? .failed }
        routes.server.setCommands { PlayerCommand.allCases }
        play()
    }

    /// Stops the radio and the speaker.
    func stop() async {
        state.withLock { $0.output.take() }?.close()
        await routes.server.stop()
        await receiver.stop()
        await discovery.shutdown()
    }

    private func handle(_ command: RemoteCommand) -> RemoteCommand.Result {
        let isPlaying = state.withLock { $0.isPlaying }
        switch PlayerCommand(rawValue: command.rawValue) {
        case .play: play()
        case .pause: pause()
        case .playPause: isPlaying ? pause() : play()
        case .next: change(by: 1)
        case .previous: change(by: Self.pieces.count - 1)
        case nil: return .noSuchContent
        }
        return .success
    }

    private func play() {
        routes.retry()
        state.withLock { $0.isPlaying = true }
        report()
        state.withLock { $0.output }?.start()
    }

    private func pause() {
        state.withLock { $0.isPlaying = false }
        state.withLock { $0.output }?.stop()
        report()
    }

    /// Continues on another receiver.
    private func restart() {
        if state.withLock({ $0.isPlaying }) { state.withLock { $0.output }?.start() }
    }

    private func change(by step: Int) {
        state.withLock { ($0.piece, $0.frame) = (($0.piece + step) % Self.pieces.count, 0) }
        report()
    }

    private func report() {
        let (piece, frame, isPlaying) = state.withLock { ($0.piece, $0.frame, $0.isPlaying) }
        var report = NowPlayingReport()
        report.track = TrackMetadata(title: Self.pieces[piece].title, artist: "Hearth", album: "Demo Radio")
        report.elapsed = Double(frame) / Double(AudioFormat.sampleRate)
        report.duration = Self.pieceLength
        report.rate = isPlaying ? 1 : 0
        routes.report = report
    }

    /// Returns quiet notes, half a second each.
    private func samples(_ count: Int) -> [Int16] {
        let rate = AudioFormat.sampleRate
        let (piece, start) = state.withLock { state in
            defer { state.frame += count }
            return (state.piece, state.frame)
        }
        if Double(start) / Double(rate) >= Self.pieceLength { change(by: 1) }
        let notes = Self.pieces[piece].notes
        return (start..<start + count).flatMap { frame in
            let note = notes[frame / (rate / 2) % notes.count]
            let time = Double(frame) / Double(rate)
            let fade = 1 - Double(frame % (rate / 2)) / Double(rate / 2)
            let sample = Int16(4_000 * fade * sin(2 * .pi * 220 * pow(2, Double(note) / 12) * time))
            return [sample, sample]
        }
    }
}
