import AirPlay
import AirPlayNetwork
import AppleLossless
import ArgumentParser
import DNSSD
import Foundation

/// `hearth airplay play`: plays a file to a receiver.
struct AirPlayPlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play a WAV file to a receiver.",
        discussion: """
            The file has 44,100 frames a second, 16 bits, and one or two channels. Convert others first: ffmpeg -i \
            song.mp3 -ar 44100 -c:a pcm_s16le song.wav. A receiver that plays another sender's audio isn't interrupted.

            Prints a line “remote NAME” for each command of the receiver, such as “remote playpause”. Exits when all has \
            played. Ctrl-C stops playing.

            Example: hearth airplay play song.wav --to Kitchen --title "A Song" --volume -20
            """
    )

    /// An encoding of the audio.
    enum Codec: String, ExpressibleByArgument, CaseIterable {
        case alac
        case pcm
    }

    @Argument(help: ArgumentHelp("A WAV file.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The receiver's name.", valueName: "name"))
    var to: String?

    @Option(help: ArgumentHelp("The receiver's host name or address.", valueName: "host"))
    var host: String?

    @Option(help: ArgumentHelp("The receiver's port, with --host.", valueName: "port"))
    var port: Int?

    @Option(help: ArgumentHelp("A JPEG or PNG file to show.", valueName: "file"))
    var art: String?

    @Option(help: ArgumentHelp("The title to show (default: the file's name).", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("The artist to show.", valueName: "text"))
    var artist: String?

    @Option(help: ArgumentHelp("The album to show.", valueName: "text"))
    var album: String?

    @Option(help: ArgumentHelp("The receiver's password.", valueName: "text"))
    var password: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The volume: -30 to 0 dB, or -144 for silence.", valueName: "dB")
    )
    var volume: Double?

    @Option(help: ArgumentHelp("The encoding (default: what the receiver prefers).", valueName: "name"))
    var codec: Codec?

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp(
            "An interface to find the receiver on, by name or address (default: all).",
            valueName: "name"
        )
    )
    var interfaces: [String] = []

    @Flag(help: "Print JSON lines.")
    var json = false

    func validate() throws {
        guard (to == nil) != (host == nil) else { throw ValidationError("Use either --to, or --host and --port.") }
        guard (host == nil) == (port == nil) else { throw ValidationError("Use --host and --port together.") }
        if let port, !(1...65_535).contains(port) { throw ValidationError("--port must be 1 to 65535.") }
        if let volume, !(-30...0).contains(volume), volume != -144 {
            throw ValidationError("--volume must be -30 to 0, or -144.")
        }
    }

    func run() async throws {
        let shutdown = ShutdownSignal()
        let samples = try SampleFile(path: file)
        let artwork = try artwork()
        let discovery = await AirPlayInterfaces.discovery(AirPlayInterfaces.selectors(interfaces, address: host))
        let target = try await target(discovery)
        var parameters = AirPlaySender.Configuration(host: target.host, port: target.port, format: target.format)
        parameters.password = password
        parameters.frameCount = samples.frameCount
        parameters.nowPlaying.track = TrackMetadata(title: title ?? samples.name, artist: artist, album: album)
        parameters.nowPlaying.artwork = artwork
        parameters.nowPlaying.volume = volume.map { Volume($0) }
        let isJSON = json
        let sender = AirPlaySender(parameters) {
            samples.next()
        } event: { event in
            Self.report(event, isJSON: isJSON)
        }
        do {
            try await sender.connect()
            let advertising = Task { await Self.advertise(sender, discovery) }
            let stop = Task {
                await shutdown.wait()
                await sender.stop()
            }
            defer {
                advertising.cancel()
                stop.cancel()
            }
            try await sender.play()
        } catch {
            await discovery?.shutdown()
            throw error.failure(receiver: to ?? target.host)
        }
        await discovery?.shutdown()
        if json { JSONLine(Line(event: "ended")).print() }
    }

    /// The JSON output for an event.
    private struct Line: Encodable {
        var event: String
        var name: String?
    }

    private static func report(_ event: AirPlaySender.Event, isJSON: Bool) {
        switch event {
        case .playing:
            if isJSON { JSONLine(Line(event: "playing")).print() }
        case .command(let command):
            if isJSON {
                JSONLine(Line(event: "remote", name: command.rawValue)).print()
            } else {
                ProgramOutput.line("remote \(command.rawValue)")
            }
        }
    }

    private func artwork() throws(CommandFailure) -> Artwork? {
        guard let art else { return nil }
        guard let bytes = FileManager.default.contents(atPath: art) else {
            throw CommandFailure("fileUnreadable", "\(art) can't be read.")
        }
        guard let artwork = Artwork(file: Array(bytes)) else {
            throw CommandFailure(
                "unsupportedFile",
                "\(art) isn't a JPEG or PNG file of at most \(Artwork.lengthLimit) bytes."
            )
        }
        return artwork
    }

    /// Finds the receiver, and selects an encoding.
    private func target(
        _ discovery: MulticastDNS?
    ) async throws(CommandFailure) -> (host: String, port: Int, format: AudioFormat) {
        let lossless: AudioFormat
        do throws(AppleLosslessError) {
            lossless = .appleLossless(try AppleLosslessConfiguration())
        } catch {
            throw CommandFailure("failed", "\(error)")
        }
        if let host, let port { return (host, port, codec == .pcm ? .pcm : lossless) }
        guard let to, let discovery, let receiver = await ReceiverBrowser(discovery).receiver(named: to) else {
            throw CommandFailure(
                "receiverNotFound",
                "No receiver “\(to ?? "")” was found. List them with “hearth airplay list”, or use --host and --port."
            )
        }
        let record = receiver.record
        guard record.acceptsUnencrypted else {
            throw CommandFailure("encryptionRequired", "\(record.name) requires encryption that needs Apple's keys.")
        }
        let isLossless = codec.map { $0 == .alac } ?? record.codecs.contains(.appleLossless)
        return (receiver.host, receiver.port, isLossless ? lossless : .pcm)
    }

    /// Advertises the service that takes the receiver's commands.
    private static func advertise(_ sender: AirPlaySender, _ discovery: MulticastDNS?) async {
        guard let discovery, let port = await sender.remoteControlPort,
            let type = try? ServiceType(ReceiverRecord.remoteControlType)
        else { return }
        let name = sender.remoteControlAddress.instanceName
        let txt: TXTRecord = ["txtvers": "1", "Ver": "131075", "DbId": sender.remoteControlAddress.id]
        _ = try? await discovery.advertise(
            ServiceAdvertisement(instanceName: name, type: type, port: UInt16(port), txt: txt)
        )
    }
}
