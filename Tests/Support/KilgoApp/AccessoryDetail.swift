import HomeKit

/// The details of one service: its name, its room, its kind, and its removal.
class AccessoryDetail: NSObject {
    let service: HMService
    let home: HMHome
    private(set) var errors = [Error]()
    /// Called when the service was removed.
    var onRemoval: (() -> Void)?

    init(service: HMService, home: HMHome) {
        self.service = service
        self.home = home
    }

    var information: [(String, String)] {
        let accessory = service.accessory
        return [
            ("Manufacturer", accessory?.manufacturer), ("Model", accessory?.model),
            ("Firmware Version", accessory?.firmwareVersion),
            ("Kind", accessory?.category.localizedDescription),
        ].map { ($0.0, $0.1 ?? "Unknown") }
    }

    /// The rooms to choose from, the default room first.
    var rooms: [HMRoom] {
        [home.roomForEntireHome()] + home.rooms.sorted { $0.name < $1.name }
    }

    func rename(_ name: String, then done: @escaping () -> Void) {
        service.updateName(name) { error in
            if let error = error { self.errors.append(error) }
            done()
        }
    }

    /// Moves the accessory to the room with a name. Creates the room if it doesn't exist.
    func move(to roomName: String, then done: @escaping () -> Void) {
        guard let accessory = service.accessory else { return done() }
        let assign = { (room: HMRoom) in
            self.home.assignAccessory(accessory, to: room) { error in
                if let error = error { self.errors.append(error) }
                done()
            }
        }
        if let room = rooms.first(where: { $0.name.lowercased() == roomName.lowercased() }) {
            assign(room)
        } else {
            home.addRoom(withName: roomName) { room, error in
                if let error = error { self.errors.append(error) }
                guard let room = room else { return done() }
                assign(room)
            }
        }
    }

    func identify() {
        service.accessory?.identify(completionHandler: { error in
            if let error = error { self.errors.append(error) }
        })
    }

    func remove() {
        guard let accessory = service.accessory else { return }
        home.removeAccessory(accessory) { error in
            if let error = error {
                self.errors.append(error)
            } else {
                self.onRemoval?()
            }
        }
    }
}

extension AccessoryDetail: HMHomeDelegate {
    func home(_ home: HMHome, didRemove accessory: HMAccessory) {
        if accessory == service.accessory { onRemoval?() }
    }
}
