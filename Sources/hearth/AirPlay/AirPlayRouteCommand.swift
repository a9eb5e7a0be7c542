import AirPlay
import AirPlayNetwork
import ArgumentParser
import DNSSD
import MediaRouting

/// `hearth airplay route`: chooses the receivers of the user's apps.
struct AirPlayRouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Show or choose the receivers of apps.",
        discussion: """
            Apps that use Hearth's AVFoundation play long-form audio to these receivers, to several in step. Those that play \
            continue there within a second. “none” keeps audio on this computer. Without a name, prints the choice, a line for \
            each receiver.

            A receiver that needs a password or a PIN is tried at once. Enter what it needs, or use --password and --pin. \
            Both are kept, so that they are needed once.

            Example: hearth airplay route Kitchen Bedroom
            """
    )

    @Argument(help: ArgumentHelp("The receivers' names, or “none”.", valueName: "name"))
    var names: [String] = []

    @Option(
        help: ArgumentHelp("A host name or address, once for each name (default: found by name).", valueName: "host")
    )
    var host: [String] = []

    @Option(help: ArgumentHelp("The port, once for each --host.", valueName: "port"))
    var port: [Int] = []

    @Option(help: ArgumentHelp("The password of the receivers, or of each.", valueName: "text"))
    var password: [String] = []

    @Flag(exclusivity: .exclusive)
    var version: StreamSelection.Version?

    @Option(help: ArgumentHelp("The PIN of a receiver of AirPlay 2, four digits.", valueName: "digits"))
    var pin: String?

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface on which apps look, by name or address (default: all).", valueName: "name")
    )
    var interfaces: [String] = []

    /// The word that stands for no receiver.
    private static let noReceiver = "none"
    /// The number of looks at whether a receiver was found, each after a pause: 5 s.
    private static let attempts = 50
    private static let pause = Duration.milliseconds(100)

    func validate() throws {
        guard host.count == port.count else { throw ValidationError("Use --host and --port together.") }
        guard port.allSatisfy({ (1...65_535).contains($0) }) else {
            throw ValidationError("--port must be 1 to 65535.")
        }
        let hasOptions = !host.isEmpty || !password.isEmpty || version != nil || pin != nil
        guard !names.isEmpty || (!hasOptions && interfaces.isEmpty) else {
            throw ValidationError("Name a receiver, or “\(Self.noReceiver)”.")
        }
        guard !names.contains("") else { throw ValidationError("The name must not be empty.") }
        guard !names.contains(Self.noReceiver) || (names.count == 1 && !hasOptions) else {
            throw ValidationError("“\(Self.noReceiver)” stands alone.")
        }
        guard Set(names).count == names.count else { throw ValidationError("Name each receiver once.") }
        guard names.count <= AirPlayGroup.memberLimit else {
            throw ValidationError("At most \(AirPlayGroup.memberLimit) receivers can play in step.")
        }
        guard host.isEmpty || host.count == names.count else {
            throw ValidationError("Use --host and --port once for each receiver.")
        }
        guard password.count <= 1 || password.count == names.count else {
            throw ValidationError("Use --password once, or once for each receiver.")
        }
        if let pin, PairingPIN(pin) == nil { throw ValidationError("--pin must be four digits.") }
        if version == .classic, pin != nil { throw ValidationError("--pin is for AirPlay 2.") }
    }

    func run() async throws {
        let file = RouteFile.standard()
        if !names.isEmpty {
            let choice = try await choice(file)
            do throws(RouteFile.Failure) {
                try file.write(choice)
            } catch {
                switch error {
                case .tooLong:
                    throw CommandFailure(
                        "choiceTooLong",
                        "The choice is longer than \(RouteFile.lengthLimit) bytes. Use shorter names and passwords."
                    )
                case .unwritable: throw CommandFailure("fileUnwritable", "\(file.path) can't be written.")
                }
            }
        }
        let receivers = file.choice.receivers.map(\.name)
        for name in receivers.isEmpty ? [Self.noReceiver] : receivers { ProgramOutput.line(name) }
    }

    // MARK: The choice

    /// Returns the choice, once receivers that need a password or a PIN have accepted it.
    private func choice(_ file: RouteFile) async throws(CommandFailure) -> RouteChoice {
        var choice = file.choice
        choice.interfaces = interfaces.isEmpty ? nil : interfaces
        choice.receivers = names == [Self.noReceiver] ? [] : receivers
        guard !choice.receivers.isEmpty else { return choice }
        for (index, name) in names.enumerated() {
            guard let password = password.count > 1 ? password[index] : password.first else { continue }
            choice.setPassword(password, of: name)
        }
        let discovery = host.isEmpty ? await AirPlayInterfaces.discovery(selectors) : nil
        let browser = discovery.map { ReceiverBrowser($0) }
        do throws(CommandFailure) {
            for index in choice.receivers.indices { try await admit(index, browser, file, &choice) }
        } catch {
            await discovery?.shutdown()
            throw error
        }
        await discovery?.shutdown()
        return choice
    }

    private var receivers: [RouteChoice.Receiver] {
        names.indices.map { index in
            var receiver = RouteChoice.Receiver(name: names[index])
            if !host.isEmpty { (receiver.host, receiver.port) = (host[index], port[index]) }
            // A receiver at an address doesn't say what it needs.
            let needsPairing = pin != nil && receiver.host != nil
            receiver.version = version ?? (needsPairing ? .airplay2 : nil)
            receiver.isPaired = needsPairing ? true : nil
            return receiver
        }
    }

    private var selectors: [InterfaceSelector] { interfaces.map { InterfaceSelector($0) } }

    /// Makes sure that a receiver lets the user's apps in, if it lets in only some.
    private func admit(
        _ index: Int,
        _ browser: ReceiverBrowser?,
        _ file: RouteFile,
        _ choice: inout RouteChoice
    ) async throws(CommandFailure) {
        let receiver = choice.receivers[index]
        let found = receiver.host == nil ? await Self.find(receiver.name, browser) : nil
        if receiver.host == nil, found == nil {
            guard pin == nil else { throw AirPlayNetworkError.notFound(receiver.name).failure(receiver: receiver.name) }
            return ProgramOutput.note("\(receiver.name) isn't on the network now. Apps play there once it is.")
        }
        if found?.record.needsPassword == true, choice.password(of: receiver.name) == nil {
            guard let password = try await AirPlayPrompt.password(receiver.name), !password.isEmpty else {
                throw CommandFailure("passwordRequired", "\(receiver.name) needs a password. Use --password.")
            }
            choice.setPassword(password, of: receiver.name)
        }
        var admission = ReceiverAdmission(file, receiver, found: found)
        admission.password = choice.password(of: receiver.name)
        do throws(ReceiverAdmission.Failure) {
            let pin = pin.flatMap { PairingPIN($0) }
            switch try await admission.run(pin: AirPlayPrompt.pin(pin), problem: AirPlayPrompt.report) {
            case .admitted: break
            case .busy: ProgramOutput.note("\(receiver.name) plays another sender's audio now.")
            case .unreachable:
                ProgramOutput.note("\(receiver.name) can't be reached now. The password is kept, but not tried.")
            }
        } catch {
            switch error {
            case .pairings(let failure): throw failure.commandFailure
            case .receiver(let failure): throw failure.failure(receiver: receiver.name)
            }
        }
    }

    /// Returns a receiver, if it is found soon.
    private static func find(_ name: String, _ browser: ReceiverBrowser?) async -> FoundReceiver? {
        for _ in 0..<attempts {
            let receivers = await browser?.receivers ?? []
            if let found = receivers.first(where: { $0.isNamed(name) }) { return found }
            try? await Task.sleep(for: pause)
        }
        return nil
    }
}
