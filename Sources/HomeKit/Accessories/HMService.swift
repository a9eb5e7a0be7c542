public import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Synchronization

/// Something that an accessory does: a lamp, a lock, the opener of a garage door.
///
/// Completions are called on the main queue, when the service shows what was done.
/// Properties may be read on any thread.
///
/// Objects come from an accessory. One that the app makes itself, as a placeholder or as a subclass that stands in for the real
/// thing in a test, is in no home: it has no name and nothing in it, and its calls end with
/// ``HMError/Code/objectNotAssociatedToAnyHome``.
/// - Since: iOS 8.0
open class HMService: NSObject, @unchecked Sendable {
    // @unchecked: the class is open, so the compiler cannot know; all that it has itself is constant and Sendable.

    private weak let owner: HMAccessory?
    private let position: InstanceLocation
    private let identity = Mutex<UUID?>(nil)
    private let characteristicObjects = Mutex<[UInt64: HMCharacteristic]>([:])

    /// Makes a service of no home.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Its objects come from an accessory.")
    public override init() {
        owner = nil
        position = .ofNoHome()
    }

    init(_ accessory: HMAccessory, _ position: consuming InstanceLocation) {
        owner = accessory
        self.position = position
    }

    /// The accessory that has the service.
    /// - Since: iOS 8.0
    open var accessory: HMAccessory? { owner }

    /// The service's identity. It never changes.
    /// - Since: iOS 9.0
    open var uniqueIdentifier: UUID {
        if let identity = identity.withLock({ $0 }) { return identity }
        let id = position.read { _, record, iid in Home.serviceID(of: iid, in: record) }
        guard let id else { return position.accessory }
        identity.withLock { $0 = id }
        return id
    }

    /// The service's type, for example ``HMServiceTypeLightbulb``, or a maker's own: a UUID in capitals.
    /// - Since: iOS 8.0
    open var serviceType: String { read { _, service in service.type.longForm } ?? "" }

    /// The type in words, for example “Garage Door Opener”; of a maker's own type the UUID.
    /// - Since: iOS 9.0
    open var localizedDescription: String {
        read { _, service in ServiceDefinition.of(service.type)?.name ?? service.type.longForm } ?? ""
    }

    /// The name that people gave the service, else the one that it reports, else the accessory's.
    /// - Since: iOS 8.0
    open var name: String { read { record, service in Home.name(of: service, in: record) } ?? "" }

    /// The type of service that people said this switch, outlet or contact sensor belongs to, for example
    /// ``HMServiceTypeFan``; nil when they said nothing, and of other services.
    /// - Since: iOS 8.0
    open var associatedServiceType: String? {
        read { record, service in record.associatedTypes[service.iid]?.longForm }
    }

    /// Whether people use the service, as opposed to one that tells of the accessory or keeps it going.
    /// - Since: iOS 9.0
    open var isUserInteractive: Bool {
        read { _, service in service.isUserInteractive } ?? false
    }

    /// Whether it is the service that the accessory is mainly for.
    /// - Since: iOS 10.0
    open var isPrimaryService: Bool { read { _, service in service.isPrimary } ?? false }

    /// The services that belong to this one, for example the inputs of a television; nil when there are none.
    /// - Since: iOS 10.0
    open var linkedServices: [HMService]? {
        guard let linked = read({ _, service in service.linked }), !linked.isEmpty else { return nil }
        let services = accessory?.services.filter { linked.contains($0.iid) } ?? []
        return services.isEmpty ? nil : services
    }

    /// The characteristics in the accessory's own order.
    /// - Since: iOS 8.0
    open var characteristics: [HMCharacteristic] {
        read { _, service in service.characteristics.map { object($0.iid) } } ?? []
    }

    /// Renames the service in the home; the device itself is not told.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and those of ill-formed names,
    /// ``HMError/Code/objectNotAssociatedToAnyHome``, ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    open func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        position.view.context.call(HubMethods.renameService, try rename(to: name), completion: completion)
    }

    /// Renames the service; see the form with a completion.
    /// - Since: iOS 8.0
    open func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }

    /// Says what a switch, an outlet or a contact sensor belongs to, so that it counts as that: a switch of a fan as a fan.
    /// It is told by a type of service, ``HMServiceTypeFan``; nil takes back what was said. The accessory itself hears
    /// nothing of it.
    ///
    /// Errors: ``HMError/Code/invalidAssociatedServiceType`` when it is no type, or the service is of another type than
    /// those three; ``HMError/Code/objectNotAssociatedToAnyHome``, ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    open func updateAssociatedServiceType(
        _ serviceType: String?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        position.view.context.call(
            HubMethods.setAssociatedType,
            try association(with: serviceType),
            completion: completion
        )
    }

    /// Says what a switch, an outlet or a contact sensor belongs to; see the form with a completion.
    /// - Since: iOS 8.0
    open func updateAssociatedServiceType(_ serviceType: String?) async throws {
        try await completing { updateAssociatedServiceType(serviceType, completionHandler: $0) }
    }

    private func association(with serviceType: String?) throws(HMError) -> SetAssociatedType {
        try position.view.check()
        let type = serviceType.flatMap { HAPType($0) }
        guard serviceType == nil || type != nil else { throw HMError(.invalidAssociatedServiceType) }
        return SetAssociatedType(
            home: position.view.home,
            accessory: position.accessory,
            iid: position.iid,
            type: type
        )
    }

    private func rename(to name: String) throws(HMError) -> RenameService {
        try position.view.check()
        return RenameService(
            home: position.view.home,
            accessory: position.accessory,
            iid: position.iid,
            name: name
        )
    }
}

// MARK: - Characteristics

extension HMService {
    /// The service's number in its accessory, as it is now.
    var iid: UInt64 { position.iid }

    /// The view of its home.
    var view: HomeReference { position.view }

    /// The service, for a call of the hub about what is kept of it.
    var reference: ServiceIdentity { ServiceIdentity(accessory: position.accessory, service: uniqueIdentifier) }

    /// The object of a characteristic of this service; nil when it has none of that number.
    func characteristic(_ iid: UInt64) -> HMCharacteristic? {
        read { _, service in
            service.characteristics.contains { $0.iid == iid } ? object(iid) : nil
        }
    }

    /// Renumbers the objects of services; those that get no number keep what they last were, as do their characteristics.
    /// Call it with the hub's state locked.
    static func renumber(
        _ services: [UInt64: HMService],
        last: Home,
        number: (UInt64) -> UInt64?
    ) -> [UInt64: HMService] {
        var renumbered: [UInt64: HMService] = [:]
        for (iid, service) in services {
            let new = number(iid)
            service.position.renumber(new, last: last)
            service.characteristicObjects.withLock { objects in
                let remaining = HMCharacteristic.renumber(objects, last: last) { new == nil ? nil : number($0) }
                // A service that is gone keeps its characteristics, as they were.
                if new != nil { objects = remaining }
            }
            if let new { renumbered[new] = service }
        }
        return renumbered
    }

    private func read<Value: Sendable>(_ body: (AccessoryRecord, ServiceShape) -> Value?) -> Value? {
        position.read { home, record, iid in
            home.services(of: record).first { $0.iid == iid }.flatMap { body(record, $0) }
        }
    }

    private func object(_ iid: UInt64) -> HMCharacteristic {
        characteristicObjects.withLock { objects in
            if let characteristic = objects[iid] { return characteristic }
            let characteristic = HMCharacteristic(self, position.neighbour(iid))
            objects[iid] = characteristic
            return characteristic
        }
    }
}
