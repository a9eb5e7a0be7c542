import HAPCatalog
import HomeModel
import Testing

/// The kinds of services, and which of them are tiles.
@Suite struct ServiceKindTests {
    private static func service(
        _ iid: UInt64,
        _ type: HAPType,
        linked: [UInt64] = [],
        isPrimary: Bool = false,
        isHidden: Bool = false
    ) -> ServiceShape {
        ServiceShape(
            iid: iid,
            type: type,
            isPrimary: isPrimary,
            isHidden: isHidden,
            linked: linked,
            characteristics: []
        )
    }

    private static func tiles(_ services: ServiceShape...) -> [UInt64] { services.tiles.map(\.iid) }

    @Test func everyTypeOfTheCatalogHasAKind() {
        let missing = ServiceDefinition.all.filter { ServiceKind.kinds[$0.type] == nil }.map(\.identifier)
        #expect(missing == [])
        // Each kind but that of manufacturers' own types has a type.
        #expect(Set(ServiceKind.kinds.values) == Set(ServiceKind.allCases).subtracting([.other]))
        #expect(ServiceKind(HAPType(short: 0xFFFF)) == .other && ServiceKind.other.role == .tile)
    }

    @Test func everyKindThatDescribesTheAccessoryIsHidden() {
        for type in ServiceKind.kinds.keys where !Self.service(1, type).isUserInteractive {
            #expect(ServiceKind(type).role != .tile, "\(type)")
        }
    }

    @Test func linkedServicesAreShownWithTheirParent() {
        typealias Types = HAPType.Service
        #expect(Self.tiles(Self.service(1, Types.fanv2, linked: [2]), Self.service(2, Types.slats)) == [1])
        #expect(Self.tiles(Self.service(1, Types.fanv2), Self.service(2, Types.slats)) == [1, 2])
        // Parts of one kind are separate, and no service disappears because both link to each other.
        #expect(Self.tiles(Self.service(1, Types.outlet, linked: [2]), Self.service(2, Types.outlet)) == [1, 2])
        #expect(
            Self.tiles(Self.service(1, Types.fan, linked: [2]), Self.service(2, Types.lightbulb, linked: [1])) == [
                1, 2,
            ]
        )
        #expect(
            Self.tiles(Self.service(1, Types.fan, linked: [2]), Self.service(2, Types.lightbulb, isPrimary: true))
                == [1, 2]
        )
        #expect(Self.tiles(Self.service(1, Types.lightbulb, isHidden: true)) == [])
    }

    @Test func aSpeakerIsATileOfItsOwnOnlyWithoutAPicture() {
        typealias Types = HAPType.Service
        #expect(Self.tiles(Self.service(1, Types.speaker)) == [1])
        #expect(Self.tiles(Self.service(1, Types.speaker), Self.service(2, Types.television)) == [2])
        let camera = Types.cameraRTPStreamManagement
        #expect(
            Self.tiles(Self.service(1, camera), Self.service(2, camera), Self.service(3, Types.microphone)) == [1]
        )
    }
}
