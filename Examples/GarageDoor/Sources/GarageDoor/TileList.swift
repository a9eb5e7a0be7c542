import HomeKit

/// The tiles of a home: one for each service of the manufacturer's devices.
@MainActor
public final class TileList: HomeListener {
    private let store: HomeStore
    /// The tiles, by name.
    public private(set) var tiles: [Tile] = []
    /// A closure that is called after each change of a tile or of the list.
    public var onChange: (() -> Void)?

    /// Creates the list of a store's home, and keeps it current.
    public init(_ store: HomeStore = .shared) {
        self.store = store
        store.add(self)
        reload()
    }

    /// The primary home, or `nil` if there is none or HomeKit hasn't loaded it.
    public var home: HMHome? { store.manager.homes.first(where: \.isPrimary) ?? store.manager.homes.first }

    /// Handles changes by other apps and by people at the accessories.
    public func hear(_ news: HomeNews) {
        if case .layout = news { reload() } else { onChange?() }
    }

    /// Reads everything again, and enables notifications.
    public func reload() {
        if let home { store.observe(home) }
        let services = home?.accessories.flatMap(\.services) ?? []
        tiles = services.compactMap { Tile($0) }.sorted { $0.name < $1.name }
        for characteristic in tiles.flatMap(\.service.characteristics)
        where characteristic.properties.contains(HMCharacteristicPropertySupportsEventNotification)
            && !characteristic.isNotificationEnabled
        {
            Task { await follow(characteristic) }
        }
        onChange?()
    }

    /// Enables a characteristic's notifications, and reads its value. If the accessory isn't reachable, the list
    /// updates when it is back.
    private func follow(_ characteristic: HMCharacteristic) async {
        guard (try? await characteristic.enableNotification(true)) != nil else { return }
        try? await characteristic.readValue()
        onChange?()
    }
}
