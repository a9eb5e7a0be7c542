import AirPlay
import AirPlayNetwork
import Foundation

/// Prints a receiver's events, and stores what plays.
struct ReceiverLog: Sendable {
    private let isJSON: Bool
    private let metadataPath: String?
    private let usesStandardOutput: Bool

    init(isJSON: Bool, metadataPath: String?, usesStandardOutput: Bool) {
        self.isJSON = isJSON
        self.metadataPath = metadataPath
        self.usesStandardOutput = usesStandardOutput
    }

    /// The content of the file with what plays.
    private struct Metadata: Encodable {
        var title: String?
        var artist: String?
        var album: String?
        var artworkSHA256: String?
        var volumeDB: Double?
        var durationSeconds: Double?

        init(_ nowPlaying: NowPlaying) {
            title = nowPlaying.track.title
            artist = nowPlaying.track.artist
            album = nowPlaying.track.album
            artworkSHA256 = nowPlaying.artwork?.sha256
            volumeDB = nowPlaying.volume?.decibels
            durationSeconds = nowPlaying.progress?.duration
        }
    }

    /// The JSON output for an event.
    private struct Line: Encodable {
        var event: String
        var name: String?
        var port: Int?
        var sender: String?
        var reason: String?
        var pin: String?
        var packets: Packets?
        var frames: Frames?
        var address: String?
        var state: String?
        var nowPlaying: Metadata?
    }

    /// The JSON output for the numbers of packets.
    private struct Packets: Encodable {
        var received: Int
        var reordered: Int
        var repaired: Int
        var lost: Int
        var late: Int
        var malformed: Int
        var forged: Int

        init(_ statistics: StreamStatistics) {
            received = statistics.received
            reordered = statistics.reordered
            repaired = statistics.repaired
            lost = statistics.lost
            late = statistics.late
            malformed = statistics.malformed
            forged = statistics.forged
        }
    }

    /// The JSON output for the numbers of frames of a sound card.
    private struct Frames: Encodable {
        var played: Int
        var missing: Int
        var repeated: Int
        var skipped: Int
        var late: Int

        init(_ statistics: PlaybackQueue.Statistics) {
            played = statistics.played
            missing = statistics.missing
            repeated = statistics.repeated
            skipped = statistics.skipped
            late = statistics.late
        }
    }

    /// Reports that senders can connect.
    func ready(name: String, port: Int) {
        print(Line(event: "ready", name: name, port: port), "\(name) receives on port \(port).")
    }

    /// Reports an event of pairing.
    func report(_ event: PairingEvent) {
        switch event {
        case .pinNeeded(let pin, let sender):
            print(Line(event: "pin", sender: sender, pin: pin.digits), "The PIN for \(sender) is \(pin.digits).")
        case .paired(_, let sender): print(Line(event: "paired", sender: sender), "\(sender) is paired.")
        }
    }

    /// Reports that senders can have addresses played.
    func ready(name: String, videoPort: Int) {
        print(
            Line(event: "videoReady", name: name, port: videoPort),
            "\(name) plays addresses on port \(videoPort)."
        )
    }

    /// Reports an event of the receiver of addresses.
    func report(_ event: VideoEvent) {
        switch event {
        case .started(let address, let sender):
            print(Line(event: "video", sender: sender, address: "\(address)"), "\(sender) has \(address) played.")
        case .changed(let status):
            print(Line(event: "videoState", state: status.state.rawValue), "The player is \(status.state).")
        case .refused(let sender):
            print(Line(event: "refused", sender: sender, reason: "busy"), "\(sender) was refused: busy.")
        }
    }

    /// Reports an event.
    func report(_ event: ReceiverEvent) {
        switch event {
        case .started(let sender): print(Line(event: "started", sender: sender), "\(sender) plays.")
        case .nowPlaying(let nowPlaying):
            let metadata = Metadata(nowPlaying)
            store(metadata)
            let names = [nowPlaying.track.title, nowPlaying.track.artist, nowPlaying.track.album].compactMap { $0 }
            let volume = nowPlaying.volume.map { ["\($0) dB"] } ?? []
            print(Line(event: "nowPlaying", nowPlaying: metadata), (names + volume).joined(separator: ", "))
        case .flushed: print(Line(event: "flushed"), "The sender discarded what it had sent ahead.")
        case .ended(let statistics):
            print(
                Line(event: "ended", packets: Packets(statistics)),
                "The stream ended: \(statistics.received) packets, \(statistics.repaired) of them sent again; "
                    + "\(statistics.lost) lost, \(statistics.late) late."
            )
        case .refused(let problem, let sender):
            print(
                Line(event: "refused", sender: sender, reason: problem.rawValue),
                "\(sender) was refused: \(problem.rawValue)."
            )
        case .malformed(let reason, let sender):
            print(
                Line(event: "refused", sender: sender, reason: reason),
                "\(sender) was disconnected: \(reason)."
            )
        }
    }

    /// Reports what a sound card played, once a stream has ended there.
    func report(_ statistics: PlaybackQueue.Statistics) {
        print(
            Line(event: "output", frames: Frames(statistics)),
            "The sound card played \(statistics.played) frames: \(statistics.repeated) repeated and "
                + "\(statistics.skipped) skipped to stay in time; \(statistics.missing) missing, \(statistics.late) late."
        )
    }

    private func print(_ line: Line, _ text: String) {
        let text = isJSON ? JSONLine(line).text : text
        // Progress alone has no text.
        guard !text.isEmpty else { return }
        if usesStandardOutput { ProgramOutput.line(text) } else { ProgramOutput.note(text) }
    }

    private func store(_ metadata: Metadata) {
        guard let metadataPath else { return }
        do {
            try Data((JSONLine(metadata).text + "\n").utf8).write(to: URL(filePath: metadataPath), options: .atomic)
        } catch {
            ProgramOutput.note("\(metadataPath) can't be written.")
        }
    }
}
