import HomeKit

/// Reads commands from standard input and runs them on the main queue. Every command ends in a `done` event with its
/// `id`, and with an `error` code if it failed. The app ends at the end of the input.
@MainActor
final class CommandReader {
    private struct Command: Decodable, Sendable {
        var id: Int
        var `do`: String
        var name: String?
        var room: String?
        var type: String?
        var value: Double?
    }

    private let store: AppStore

    init(store: AppStore) {
        self.store = store
    }

    func start() {
        Thread.detachNewThread {
            while let line = readLine() {
                let command = try? JSONDecoder().decode(Command.self, from: Data(line.utf8))
                DispatchQueue.main.async {
                    guard let command else { return report("badCommand", ["line": line]) }
                    self.run(command)
                }
            }
            DispatchQueue.main.async { exit(0) }
        }
    }

    private func run(_ command: Command) {
        switch command.do {
        case "addHome", "addRoom", "addAccessory", "removeAccessory", "assign":
            changeLayout(command)
        case "browse":
            store.browser.startSearchingForNewAccessories()
            done(command, nil)
        case "read", "write", "notify":
            useCharacteristic(command)
        case "tree":
            report("tree", ["id": command.id, "accessories": tree()])
        default:
            report("badCommand", ["id": command.id])
        }
    }

    private func changeLayout(_ command: Command) {
        let name = command.name ?? ""
        if command.do == "addHome" {
            store.manager.addHome(withName: name) { home, error in
                DispatchQueue.main.async {
                    self.store.observeHomes()
                    self.done(command, error, ["listed": self.store.manager.homes.contains { $0 === home }])
                }
            }
            return
        }
        guard let home = store.home else { return done(command, HMError(.homeAccessNotAuthorized)) }
        switch command.do {
        case "addRoom":
            // Without a hop to another queue, because the test checks what the completion handler itself sees.
            home.addRoom(withName: name) { room, error in
                MainActor.assumeIsolated {
                    self.done(command, error, ["listed": room.map { home.rooms.contains($0) } ?? false])
                }
            }
        case "addAccessory":
            guard let accessory = store.browser.discoveredAccessories.first(where: { $0.name == name }) else {
                return done(command, HMError(.notFound))
            }
            home.addAccessory(accessory) { error in
                MainActor.assumeIsolated {
                    self.store.observeHomes()
                    self.done(command, error, ["listed": home.accessories.contains(accessory)])
                }
            }
        case "removeAccessory":
            guard let accessory = store.accessory(named: name) else { return done(command, HMError(.notFound)) }
            home.removeAccessory(accessory) { error in
                MainActor.assumeIsolated { self.done(command, error) }
            }
        default:
            guard let accessory = store.accessory(named: name),
                let room = home.rooms.first(where: { $0.name == command.room })
            else { return done(command, HMError(.notFound)) }
            home.assignAccessory(accessory, to: room) { error in
                MainActor.assumeIsolated { self.done(command, error, ["room": accessory.room?.name ?? ""]) }
            }
        }
    }

    private func useCharacteristic(_ command: Command) {
        guard let characteristic = store.characteristic(command.type ?? "", of: command.name ?? "") else {
            return done(command, HMError(.notFound))
        }
        let finish: @Sendable ((any Error)?) -> Void = { error in
            MainActor.assumeIsolated {
                self.done(command, error, ["value": "\(characteristic.value ?? "nil")"])
            }
        }
        switch command.do {
        case "read": characteristic.readValue(completionHandler: finish)
        case "write": characteristic.writeValue(command.value, completionHandler: finish)
        default: characteristic.enableNotification(true, completionHandler: finish)
        }
    }

    private func tree() -> [[String: Any]] {
        (store.home?.accessories ?? []).map { accessory in
            [
                "name": accessory.name, "room": accessory.room?.name ?? "", "reachable": accessory.isReachable,
                "bridged": accessory.isBridged, "services": accessory.services.map(\.serviceType),
            ]
        }
    }

    private func done(_ command: Command, _ error: (any Error)?, _ details: [String: Any] = [:]) {
        var details = details
        details["id"] = command.id
        if let error {
            details["error"] = (error as NSError).code
            details["domain"] = (error as NSError).domain
            details["text"] = error.localizedDescription
        }
        report("done", details)
    }
}
