import HomeKit

/// A tile in detail.
@MainActor
public struct Detail {
    private let service: HMService
    private let home: HMHome

    /// The detail of a tile of a home.
    public init(_ tile: Tile, in home: HMHome) {
        service = tile.service
        self.home = home
    }

    /// What is to be read: each line a name and a value.
    public var lines: [(name: String, value: String)] {
        let accessory = service.accessory
        return [
            ("Name", service.name),
            ("Room", accessory?.room?.name ?? ""),
            ("Manufacturer", accessory?.manufacturer ?? ""),
            ("Model", accessory?.model ?? ""),
            ("Firmware", accessory?.firmwareVersion ?? ""),
        ] + characteristics.map { (Self.name(of: $0), ShownValue(of: $0).text) }
    }

    /// The characteristics that the app shows of the service.
    var characteristics: [HMCharacteristic] {
        Kilgo.shownCharacteristics.compactMap { service.characteristic($0) }
    }

    /// Gives it another name.
    public func rename(to name: String) async throws {
        try await service.updateName(name)
    }

    /// The rooms to choose from.
    public var rooms: [String] { choice.map(\.name) }

    private var choice: [HMRoom] { [home.roomForEntireHome()] + home.rooms.sorted { $0.name < $1.name } }

    /// Moves the device, with all of its services, to a room, which is made if there is none of that name.
    public func move(toRoom name: String) async throws {
        guard let accessory = service.accessory else { return }
        let room: HMRoom
        if let known = choice.first(where: { $0.name.lowercased() == name.lowercased() }) {
            room = known
        } else {
            room = try await home.addRoom(named: name)
        }
        try await home.assignAccessory(accessory, to: room)
    }

    /// Takes the device, with all of its services, out of the home.
    public func remove() async throws {
        guard let accessory = service.accessory else { return }
        try await home.removeAccessory(accessory)
    }

    /// Changes a characteristic that the detail shows.
    ///
    /// - Parameters:
    ///   - name: As the detail shows it, in any case.
    ///   - text: A number, or a word as the detail shows it, in any case.
    /// - Returns: Whether there is such a characteristic and it takes such a value; false also means that nothing was done.
    public func set(_ name: String, to text: String) async throws -> Bool {
        let match = characteristics.first { Self.name(of: $0).lowercased() == name.lowercased() }
        guard let characteristic = match, characteristic.properties.contains(HMCharacteristicPropertyWritable) else {
            return false
        }
        guard let value = ShownValue(of: characteristic).value(meantBy: text) else { return false }
        try await characteristic.writeValue(value)
        return true
    }

    private static func name(of characteristic: HMCharacteristic) -> String {
        // HomeKit does not know the maker's own.
        characteristic.characteristicType == Kilgo.fadeRate ? "Fade Rate" : characteristic.localizedDescription
    }
}
