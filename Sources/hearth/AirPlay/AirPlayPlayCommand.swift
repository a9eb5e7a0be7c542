import AirPlay
import AirPlayNetwork
import ArgumentParser
import DNSSD
import Foundation
import MediaRouting

/// `hearth airplay play`: plays a file to receivers.
struct AirPlayPlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play a file to receivers in step, or an address to one.",
        discussion: """
            WAV files with 44,100 frames a second, 16 bits, and one or two channels are played as they are. Others are \
            converted before they play, which needs the program ffmpeg. A receiver that plays another sender's audio \
            isn't interrupted.

            An address that begins with http:// or https:// is played by the receiver itself, which has to support that. \
            Lines on standard input control it: play, pause, playpause, stop, or seek and the seconds. The media keys of a \
            desktop do the same. Ctrl-C stops it.

            Repeat --to, or --host and --port, to play to several receivers in step. One --volume or --password is for \
            all of them; several are for each, in the order of the receivers, those of --to first.

            A receiver of AirPlay 2 may show a PIN. Enter it, or use --pin. With --pairings, it asks once only.

            Prints a line “remote NAME” for each command of a receiver, such as “remote playpause”. A receiver that \
            disappears is a line “lost NAME”. It is tried again, and “back NAME” says that it plays in step again. With \
            several receivers, each is a line “playing NAME” when it starts.

            Exits with 0 when all has played everywhere, otherwise with 1 and the error of the first receiver that \
            failed. Ctrl-C stops playing.

            Example: hearth airplay play song.wav --to Kitchen --to Bath --volume -20
            """
    )

    /// An encoding of the audio.
    enum Codec: String, ExpressibleByArgument, CaseIterable {
        case alac
        case pcm
    }

    @Argument(help: ArgumentHelp("A file with audio, or an address.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("A receiver's name.", valueName: "name"))
    var to: [String] = []

    @Option(help: ArgumentHelp("A receiver's host name or address.", valueName: "host"))
    var host: [String] = []

    @Option(help: ArgumentHelp("The port, once for each --host.", valueName: "port"))
    var port: [Int] = []

    @Option(help: ArgumentHelp("A JPEG or PNG file to show.", valueName: "file"))
    var art: String?

    @Option(help: ArgumentHelp("The title to show (default: the file's name).", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("The artist to show.", valueName: "text"))
    var artist: String?

    @Option(help: ArgumentHelp("The album to show.", valueName: "text"))
    var album: String?

    @Option(help: ArgumentHelp("The password of the receivers, or of each.", valueName: "text"))
    var password: [String] = []

    @Flag(exclusivity: .exclusive)
    var version: StreamSelection.Version?

    @Option(help: ArgumentHelp("The PIN of a receiver of AirPlay 2, four digits.", valueName: "digits"))
    var pin: String?

    @Option(help: ArgumentHelp("A file that keeps the pairings (default: none are kept).", valueName: "file"))
    var pairings: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The volume of the receivers, or of each: -30 to 0 dB, or -144 for silence.",
            valueName: "dB"
        )
    )
    var volume: [Double] = []

    @Option(help: ArgumentHelp("The encoding (default: what each receiver prefers).", valueName: "name"))
    var codec: Codec?

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp(
            "An interface to find receivers on, by name or address (default: all).",
            valueName: "name"
        )
    )
    var interfaces: [String] = []

    @Flag(help: "Print JSON lines.")
    var json = false

    func validate() throws {
        let count = to.count + host.count
        guard count > 0 else { throw ValidationError("Name a receiver with --to, or with --host and --port.") }
        guard host.count == port.count else { throw ValidationError("Use --host and --port together.") }
        guard count <= AirPlayGroup.memberLimit else {
            throw ValidationError("At most \(AirPlayGroup.memberLimit) receivers can play in step.")
        }
        guard Set(receiverNames).count == count else { throw ValidationError("Name each receiver once.") }
        guard port.allSatisfy({ (1...65_535).contains($0) }) else {
            throw ValidationError("--port must be 1 to 65535.")
        }
        if let pin, PairingPIN(pin) == nil { throw ValidationError("--pin must be four digits.") }
        if version == .classic, pin != nil || pairings != nil {
            throw ValidationError("--pin and --pairings are for AirPlay 2.")
        }
        guard volume.allSatisfy({ (-30...0).contains($0) || $0 == -144 }) else {
            throw ValidationError("--volume must be -30 to 0, or -144.")
        }
        guard MediaAddress(file) == nil || count == 1 else {
            throw ValidationError("An address plays on one receiver.")
        }
        for (name, values) in [("--volume", volume.count), ("--password", password.count)] {
            guard values <= 1 || values == count else {
                throw ValidationError("Use \(name) once, or once for each receiver.")
            }
        }
    }

    /// The names of the receivers in messages.
    private var receiverNames: [String] { to + zip(host, port).map { "\($0):\($1)" } }

    func run() async throws {
        let shutdown = ShutdownSignal()
        if let address = MediaAddress(file) { return try await play(address, shutdown) }
        let samples = try await samples()
        var members = try members(samples)
        let next = samples.packets()
        let loopback = to.isEmpty && host.allSatisfy { $0.hasPrefix("127.") } ? host.first : nil
        let discovery = await AirPlayInterfaces.discovery(AirPlayInterfaces.selectors(interfaces, address: loopback))
        let browser = to.isEmpty ? nil : discovery.map { ReceiverBrowser($0) }
        let log = PlayLog(names: receiverNames, isJSON: json)
        for index in members.indices { try await members[index].askForPassword(browser) }
        let group = AirPlayGroup(
            members.map { member in
                AirPlayGroup.Member { () async throws(AirPlayNetworkError) in try await member.locate(browser) }
            },
            discovery: discovery,
            source: { next() },
            event: { log.report($1, of: $0) }
        )
        let stop = Task {
            await shutdown.wait()
            await group.stop()
        }
        let results = await group.play()
        stop.cancel()
        await discovery?.shutdown()
        try log.end(results)
    }

    /// Has a receiver play an address.
    private func play(_ address: MediaAddress, _ shutdown: ShutdownSignal) async throws {
        let loopback = host.first.flatMap { $0.hasPrefix("127.") ? $0 : nil }
        let selectors = AirPlayInterfaces.selectors(interfaces, address: loopback)
        let discovery = to.isEmpty ? nil : await AirPlayInterfaces.discovery(selectors)
        let log = PlayLog(names: receiverNames, isJSON: json)
        do throws(AirPlayNetworkError) {
            let sender = try await videoSender(discovery)
            let stop = Task {
                await shutdown.wait()
                await sender.stop()
            }
            let film = TrackMetadata(title: title ?? file, artist: artist, album: album)
            let controls = FilmControls(sender, name: receiverNames[0], film: film)
            controls.start()
            defer {
                stop.cancel()
                controls.stop()
            }
            try await sender.play(address, status: { controls.update($0) }) { log.report(.playing, of: 0) }
        } catch {
            await discovery?.shutdown()
            throw error.failure(receiver: receiverNames[0])
        }
        await discovery?.shutdown()
        try log.end([.success(())])
    }

    private func videoSender(_ discovery: MulticastDNS?) async throws(AirPlayNetworkError) -> VideoSender {
        if let host = host.first, let port = port.first { return VideoSender(host: host, port: port) }
        guard let discovery else { throw .notFound(to[0]) }
        return try await VideoSender.find(to[0], discovery)
    }

    /// Returns the receivers with their parameters.
    private func members(_ samples: WaveFile) throws(CommandFailure) -> [PlayMember] {
        let file: AirPlayPairingFile
        do throws(AirPlayPairingFile.Failure) {
            file = try AirPlayPairingFile(sendersAt: pairings)
        } catch {
            throw error.commandFailure
        }
        var selection = StreamSelection(AirPlayPrompt.pairings(file, pin: pin.flatMap { PairingPIN($0) }))
        selection.isLossless = codec.map { $0 == .alac }
        selection.version = version
        var parameters = PlayMember.Parameters(frameCount: samples.frameCount, selection: selection)
        let name = URL(filePath: self.file).deletingPathExtension().lastPathComponent
        parameters.nowPlaying.track = TrackMetadata(title: title ?? name, artist: artist, album: album)
        parameters.nowPlaying.artwork = try artwork()
        let addresses = to.map { PlayMember.Address.name($0) } + zip(host, port).map { .host($0, port: $1) }
        func value<Value>(_ values: [Value], _ index: Int) -> Value? { values.count > 1 ? values[index] : values.first }
        return addresses.indices.map { index in
            var member = PlayMember(address: addresses[index], parameters: parameters)
            member.parameters.selection.password = value(password, index)
            // A receiver at an address doesn't say whether it needs to be paired.
            member.parameters.selection.needsPairing = pin != nil || (index >= to.count && pairings != nil)
            member.parameters.nowPlaying.volume = value(volume, index).map { Volume($0) }
            return member
        }
    }

    /// Returns the file's samples, which are converted unless it is a WAV file of the right kind.
    private func samples() async throws(CommandFailure) -> WaveFile {
        let url = URL(filePath: file)
        do throws(WaveFile.Failure) {
            return try WaveFile(url)
        } catch {
            switch error {
            case .unreadable: throw CommandFailure("fileUnreadable", "\(file) can't be read.")
            case .empty: throw CommandFailure("emptyFile", "\(file) has no samples.")
            case .unsupported: break
            }
        }
        do throws(AudioConversion.Failure) {
            return try await AudioConversion.samples(of: url)
        } catch {
            switch error {
            case .programMissing:
                throw CommandFailure(
                    "unsupportedFile",
                    "\(file) isn't a WAV file with 44,100 Hz, 16 bits and one or two channels. Install ffmpeg, which "
                        + "converts others."
                )
            case .undecodable:
                throw CommandFailure("unsupportedFile", "\(file) has no audio that ffmpeg can decode.")
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
}
