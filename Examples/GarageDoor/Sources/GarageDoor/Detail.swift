import HomeKit

/// The details of a tile.
@MainActor
public struct Detail {
    private let service: HMService
    private let home: HMHome

    /// Creates the details of a home's tile.
    public init(_ tile: Tile, in home: HMHome) {
        service = tile.service
        self.home = home
    }

    /// The names and values to show.
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

    /// The service's characteristics that the app shows.
    var characteristics: [HMCharacteristic] {
        Kilgo.shownCharacteristics.compactMap { service.characteristic($0) }
    }

    /// Renames the service.
    public func rename(to name: String) async throws {
        try await service.updateName(name)
    }

    /// The rooms to choose from.
    public var rooms: [String] { choice.map(\.name) }

    private var choice: [HMRoom] { [home.roomForEntireHome()] + home.rooms.sorted { $0.name < $1.name } }

    /// Moves the device with all its services to a room, adding the room if needed.
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

    /// Removes the device with all its services from the home.
    public func remove() async throws {
        guard let accessory = service.accessory else { return }
        try await home.removeAccessory(accessory)
    }

    /// Changes a characteristic.
    ///
    /// - Parameters:
    ///   - name: The characteristic's displayed name, in any case.
    ///   - text: A number, or a displayed value, in any case.
    /// - Returns: Whether the characteristic exists and accepts the value. If not, nothing changes.
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
        // HomeKit has no name for a custom characteristic.
        characteristic.characteristicType == Kilgo.fadeRate ? "Fade Rate" : characteristic.localizedDescription
    }
}
