import AirPlay
import AirPlayNetwork
import ArgumentParser
import DNSSD
import Foundation
import HAP
import MediaRouting

/// `hearth airplay receive`: receives audio into a file, a pipe or a sound card.
struct AirPlayReceiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "Receive audio into a file, a pipe or a sound card.",
        discussion: """
            --pcm writes samples as they were sent, whatever the volume: 44,100 frames a second, two channels, 16 bits, \
            least significant byte first. They come before they are due. One sender plays at a time.

            --output alsa plays on the usual sound card, --output alsa:DEVICE on another one (“aplay -L” lists them), each \
            frame at its time and with the volume. It needs ALSA's library, which most systems have.

            --player takes addresses of films and songs (HLS, MP4), which it plays with another program: its name and \
            arguments, and then the address. No shell is involved. In place of {position}, the program gets the second to \
            start at. --probe is a program that prints an address's length in seconds.

            The file of --meta contains a JSON object with title, artist, album, artworkSHA256, volumeDB and \
            durationSeconds, as far as the sender reports them. It is replaced at each change.

            An iPhone, an iPad or a Mac can't play to it, nor mirror its screen: that needs Apple's keys. Senders use \
            AirPlay 2, which is encrypted, or the classic protocol. --password is for both. With --pin, \
            senders pair once, and the classic protocol isn't taken. With “--pin random”, a PIN is printed when a sender \
            asks for it.

            Commands on standard input, a line each, go to the sender: play, pause, playpause, stop, nextitem, previtem, \
            volumeup, volumedown, mutetoggle. The media keys of a desktop do the same. Ctrl-C stops the receiver.

            Example: hearth airplay receive --name Kitchen --output alsa
            """
    )

    @Option(help: ArgumentHelp("The receiver's name on the network.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("The address to listen on (default: all).", valueName: "addr"))
    var bind: String?

    @Option(help: ArgumentHelp("The port to listen on; 0 selects a free port.", valueName: "n"))
    var port: Int = 0

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface to advertise on, by name or address (default: all).", valueName: "name")
    )
    var interfaces: [String] = []

    @Option(help: ArgumentHelp("A password that senders need.", valueName: "text"))
    var password: String?

    @Option(help: ArgumentHelp("A PIN of four digits that senders need once, or “random”.", valueName: "digits"))
    var pin: String?

    @Option(
        help: ArgumentHelp("A file that keeps the pairings (default: they end with the program).", valueName: "file")
    )
    var pairings: String?

    @Option(help: ArgumentHelp("A file for the samples, or “-” for standard output.", valueName: "file"))
    var pcm: String?

    @Option(help: ArgumentHelp("A sound card: alsa, or alsa:DEVICE.", valueName: "card"))
    var output: AudioOutput?

    @Option(help: ArgumentHelp("A program that plays addresses, with arguments.", valueName: "program"))
    var player: String?

    @Option(help: ArgumentHelp("A program that prints an address's length.", valueName: "program"))
    var probe: String?

    @Option(help: ArgumentHelp("The port for addresses; 0 selects a free port.", valueName: "n"))
    var videoPort: Int = 0

    @Option(help: ArgumentHelp("A file for what plays, as JSON.", valueName: "file"))
    var meta: String?

    @Flag(help: "Print events as JSON lines, with --pcm - to standard error.")
    var json = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        guard pcm != nil || output != nil || player != nil else {
            throw ValidationError("Use --pcm, --output or --player.")
        }
        guard player != nil || probe == nil else { throw ValidationError("Use --probe with --player.") }
        guard (0...65_535).contains(videoPort) else { throw ValidationError("--video-port must be 0 to 65535.") }
        guard !name.isEmpty else { throw ValidationError("--name must not be empty.") }
        if let problem = ServiceInstance.problem(withName: record.instanceName) { throw ValidationError(problem) }
        if password != nil, pin != nil { throw ValidationError("Use --password or --pin.") }
        if player != nil, pin != nil || pairings != nil {
            throw ValidationError(
                "With --player, audio is received in the classic protocol: omit --pin and --pairings."
            )
        }
        if let pin, pin != Self.randomPIN, PairingPIN(pin) == nil {
            throw ValidationError("--pin must be four digits, or “\(Self.randomPIN)”.")
        }
        if let bind, IPAddress(bind) == nil { throw ValidationError("--bind must be an address.") }
    }

    private static let randomPIN = "random"

    /// The senders that may pair.
    private var admission: ReceiverPairings.Admission {
        guard let pin else { return .anyone }
        return PairingPIN(pin).map { .pin($0) } ?? .shownPIN
    }

    /// The receiver's description.
    private var record: ReceiverRecord {
        var record = ReceiverRecord(deviceID: ReceiverRecord.deviceID(of: name), name: name)
        record.needsPassword = password != nil
        return record
    }

    func run() async throws {
        let shutdown = ShutdownSignal()
        let log = ReceiverLog(isJSON: json, metadataPath: meta, usesStandardOutput: pcm != "-")
        let writer = try writer()
        let soundCard = try soundCard(log)
        let desktop = DesktopPlayer(name: name)
        let program = try program()
        let file = try pairingFile()
        let (record, parameters) = parameters(file)
        let discovery = await AirPlayInterfaces.discovery(AirPlayInterfaces.selectors(interfaces, address: bind))
        var receiver: AirPlayReceiver?
        var video: VideoReceiver?
        do throws(AirPlayNetworkError) {
            if pcm != nil || output != nil {
                let audio = AirPlayReceiver(parameters, handlers: handlers(writer, soundCard, desktop, log, file))
                let port = try await audio.start()
                receiver = audio
                await advertise(record.instanceName, ReceiverRecord.serviceType, record.txt, port: port, discovery)
                if record.features.hasAirPlay2 {
                    await advertise(
                        record.name,
                        ReceiverRecord.airPlayServiceType,
                        record.airPlayTXT,
                        port: port,
                        discovery
                    )
                }
                log.ready(name: name, port: port)
                if let discovery {
                    RemoteControlInput.start(audio, discovery)
                    desktop.start(audio, discovery)
                }
            }
            if let program {
                let films = VideoReceiver(name: name, player: program) { log.report($0) }
                let port = try await films.start(address: bind, port: videoPort)
                video = films
                await advertise(name, VideoRecord.serviceType, VideoRecord.txt(name: name), port: port, discovery)
                log.ready(name: name, videoPort: port)
            }
        } catch {
            throw error.failure(receiver: name)
        }
        await shutdown.wait()
        await receiver?.stop()
        await video?.stop()
        desktop.stop()
        await discovery?.shutdown()
        soundCard?.finish()
        writer?.finish()
    }

    private func program() throws(CommandFailure) -> ExternalPlayer? {
        guard let player else { return nil }
        return try ExternalPlayer(player: player, probe: probe)
    }

    private func writer() throws(CommandFailure) -> SampleWriter? {
        guard let pcm else { return nil }
        return try SampleWriter(path: pcm)
    }

    private func soundCard(_ log: ReceiverLog) throws(CommandFailure) -> SoundCardPlayer? {
        guard let output else { return nil }
        return try SoundCardPlayer(device: output.device) { log.report($0) }
    }

    private func handlers(
        _ writer: SampleWriter?,
        _ player: SoundCardPlayer?,
        _ desktop: DesktopPlayer,
        _ log: ReceiverLog,
        _ file: AirPlayPairingFile?
    ) -> ReceiverHandlers {
        ReceiverHandlers {
            desktop.audioArrived()
            writer?.write($0)
        } timedAudio: {
            player?.play($0)
        } event: {
            log.report($0)
            player?.handle($0)
            desktop.handle($0)
        } pairing: { event in
            log.report(event)
            if case .paired(let pairings, _) = event { Self.store(pairings, file) }
        }
    }

    /// Returns the description and the parameters of the receiver of audio.
    private func parameters(_ file: AirPlayPairingFile?) -> (ReceiverRecord, AirPlayReceiver.Configuration) {
        var record = record
        var parameters = AirPlayReceiver.Configuration(address: bind, port: port, password: password)
        guard let file, let deviceID = DeviceID(file.id.description) else { return (record, parameters) }
        let identity = AccessoryIdentity(deviceID: deviceID, keyPair: file.keyPair)
        record.addAirPlay2(identity, needsPIN: pin != nil)
        var random = SystemRandomNumberGenerator()
        let pairings = ReceiverPairings(
            identity: identity,
            pairings: file.pairings.map {
                Pairing(controllerID: $0.id, publicKey: $0.publicKey, permissions: .admin)
            },
            admission: admission,
            using: &random
        )
        parameters.airPlay2 = (record, pairings)
        return (record, parameters)
    }

    /// Reads the identity and the pairings. Returns `nil` if only the classic protocol is offered.
    private func pairingFile() throws(CommandFailure) -> AirPlayPairingFile? {
        // With a player, the service of AirPlay 2 is that of films, at another port.
        guard player == nil else { return nil }
        let digits = Array(ReceiverRecord.deviceID(of: name))
        let address = stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<$0 + 2]) }
        guard let id = PairingID(address.joined(separator: ":")) else { return nil }
        let file: AirPlayPairingFile
        do throws(AirPlayPairingFile.Failure) {
            file = try AirPlayPairingFile(path: pairings, newID: id)
        } catch {
            throw error.commandFailure
        }
        guard DeviceID(file.id.description) != nil else {
            throw CommandFailure("invalidPairings", "\(pairings ?? "") belongs to a sender. Choose another name.")
        }
        return file
    }

    private static func store(_ pairings: ReceiverPairings, _ file: AirPlayPairingFile?) {
        do throws(AirPlayPairingFile.Failure) {
            try file?.store(pairings.list.pairings.map { PairedPeer(id: $0.controllerID, publicKey: $0.publicKey) })
        } catch {
            ProgramOutput.note(error.commandFailure.reason)
        }
    }

    /// Advertises a service. If that fails, it can still be reached by its address.
    private func advertise(
        _ name: String,
        _ type: String,
        _ txt: [(key: String, value: String)],
        port: Int,
        _ discovery: MulticastDNS?
    ) async {
        guard let discovery else { return }
        do throws(DNSSDError) {
            _ = try await discovery.advertise(
                ServiceAdvertisement(
                    instanceName: name,
                    type: try ServiceType(type),
                    port: UInt16(port),
                    txt: TXTRecord(
                        entries: txt.map { TXTRecord.Entry(key: $0.key, value: Array($0.value.utf8)) }
                    ),
                    addresses: bind.flatMap { IPAddress($0) }.map { [$0] }
                )
            )
        } catch {
            ProgramOutput.note("Not advertised: \(error.reason)")
        }
    }
}
