import HomeKit

/// A service as people see it in the list: HomeKit's services are the app's accessories.
@MainActor
public struct Tile {
    let service: HMService
    private let kind: KilgoService

    /// A tile for a service; nil if it is not the maker's, or nothing for people.
    init?(_ service: HMService) {
        guard let kind = KilgoService(service) else { return nil }
        self.service = service
        self.kind = kind
    }

    /// The name.
    public var name: String { service.name }

    /// The room's name.
    public var room: String { service.accessory?.room?.name ?? "" }

    /// What it does at the moment, in a word or two.
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
