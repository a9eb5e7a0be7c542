import HomeKit

/// A service in the list. HomeKit's services are the app's tiles.
@MainActor
public struct Tile {
    let service: HMService
    private let kind: KilgoService

    /// Creates a tile for a service, or returns `nil` if it is another manufacturer's or not user-facing.
    init?(_ service: HMService) {
        guard let kind = KilgoService(service) else { return nil }
        self.service = service
        self.kind = kind
    }

    /// The service's name.
    public var name: String { service.name }

    /// The room's name.
    public var room: String { service.accessory?.room?.name ?? "" }

    /// The current state, in a word or two.
    public var state: String {
        guard service.accessory?.isReachable == true else { return "No Response" }
        return kind.words(service.characteristic(kind.display)?.value)
    }

    /// Turns the light on or off, opens or closes the door.
    public func tap() async throws {
        guard let control = service.characteristic(kind.control) else { return }
        if control.value == nil { try await control.readValue() }
        guard let opposite = kind.opposite(of: control.value) else { return }
        try await control.writeValue(opposite)
    }
}
