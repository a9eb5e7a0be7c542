public import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Synchronization

/// A function of an accessory, such as a lamp, a lock or a garage door opener.
///
/// Completion handlers are called on the main queue. When one is called, the service already reflects the change.
/// Properties can be read from any thread.
///
/// Get services from an accessory. An object that the app creates itself, as a placeholder or a test double, belongs to
/// no home: it has no name and no contents, and its calls fail with ``HMError/Code/objectNotAssociatedToAnyHome``.
/// - Since: iOS 8.0
open class HMService: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its own stored properties are immutable and Sendable.

    private weak let owner: HMAccessory?
    private let location: InstanceLocation
    private let identity = Mutex<UUID?>(nil)
    private let characteristicObjects = Mutex<[UInt64: HMCharacteristic]>([:])

    /// Creates a service that belongs to no home.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Get services from an accessory.")
    public override init() {
        owner = nil
        location = .detached()
    }

    init(_ accessory: HMAccessory, _ location: consuming InstanceLocation) {
        owner = accessory
        self.location = location
    }

    /// The accessory that has the service.
    /// - Since: iOS 8.0
    open var accessory: HMAccessory? { owner }

    /// The service's identity. It never changes.
    /// - Since: iOS 9.0
    open var uniqueIdentifier: UUID {
        if let identity = identity.withLock({ $0 }) { return identity }
        let id = location.read { _, record, iid in Home.serviceID(of: iid, in: record) }
        guard let id else { return location.accessory }
        identity.withLock { $0 = id }
        return id
    }

    /// The service's type, for example ``HMServiceTypeLightbulb``. A custom type is a UUID in uppercase.
    /// - Since: iOS 8.0
    open var serviceType: String { read { _, service in service.type.longForm } ?? "" }

    /// A description of the type, for example “Garage Door Opener”. For a custom type, the UUID.
    /// - Since: iOS 9.0
    open var localizedDescription: String {
        read { _, service in ServiceDefinition.of(service.type)?.name ?? service.type.longForm } ?? ""
    }

    /// The name that the user gave the service, otherwise the name that it reports, otherwise the accessory's name.
    /// - Since: iOS 8.0
    open var name: String { read { record, service in Home.name(of: service, in: record) } ?? "" }

    /// The service type that the user associated with this switch, outlet or contact sensor, for example
    /// ``HMServiceTypeFan``. It is `nil` if there is none, and for other services.
    /// - Since: iOS 8.0
    open var associatedServiceType: String? {
        read { record, service in record.associatedTypes[service.iid]?.longForm }
    }

    /// Whether the service is for users, as opposed to one that describes or maintains the accessory.
    /// - Since: iOS 9.0
    open var isUserInteractive: Bool {
        read { _, service in service.isUserInteractive } ?? false
    }

    /// Whether this is the accessory's primary service.
    /// - Since: iOS 10.0
    open var isPrimaryService: Bool { read { _, service in service.isPrimary } ?? false }

    /// The services linked to this one, for example the inputs of a television. It is `nil` if there are none.
    /// - Since: iOS 10.0
    open var linkedServices: [HMService]? {
        guard let linked = read({ _, service in service.linked }), !linked.isEmpty else { return nil }
        let services = accessory?.services.filter { linked.contains($0.iid) } ?? []
        return services.isEmpty ? nil : services
    }

    /// The characteristics, in the accessory's order.
    /// - Since: iOS 8.0
    open var characteristics: [HMCharacteristic] {
        read { _, service in service.characteristics.map { object($0.iid) } } ?? []
    }

    /// Renames the service in the home. The device isn't changed.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names,
    /// ``HMError/Code/objectNotAssociatedToAnyHome``, ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    open func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        location.homeReference.context.call(HubMethods.renameService, try rename(to: name), completion: completion)
    }

    /// Renames the service; see the completion-handler form.
    /// - Since: iOS 8.0
    open func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }

    /// Associates a switch, an outlet or a contact sensor with another service type.
    ///
    /// For example, a switch with the type ``HMServiceTypeFan`` counts as a fan. Pass `nil` to remove the association.
    /// The accessory isn't changed.
    ///
    /// Errors: ``HMError/Code/invalidAssociatedServiceType`` if the type is invalid or the service isn't one of these
    /// three; ``HMError/Code/objectNotAssociatedToAnyHome``, ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    open func updateAssociatedServiceType(
        _ serviceType: String?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        location.homeReference.context.call(
            HubMethods.setAssociatedType,
            try association(with: serviceType),
            completion: completion
        )
    }

    /// Associates the service with another service type; see the completion-handler form.
    /// - Since: iOS 8.0
    open func updateAssociatedServiceType(_ serviceType: String?) async throws {
        try await completing { updateAssociatedServiceType(serviceType, completionHandler: $0) }
    }

    private func association(with serviceType: String?) throws(HMError) -> InHome<SetAssociatedType> {
        try location.homeReference.check()
        let type = serviceType.flatMap { HAPType($0) }
        guard serviceType == nil || type != nil else { throw HMError(.invalidAssociatedServiceType) }
        return InHome(
            location.homeReference.home,
            SetAssociatedType(type, accessory: location.accessory, iid: location.iid)
        )
    }

    private func rename(to name: String) throws(HMError) -> InHome<RenameService> {
        try location.homeReference.check()
        return InHome(
            location.homeReference.home,
            RenameService(accessory: location.accessory, iid: location.iid, name: name)
        )
    }
}

// MARK: - Characteristics

extension HMService {
    /// The service's current instance ID.
    var iid: UInt64 { location.iid }

    /// The reference to its home.
    var homeReference: HomeReference { location.homeReference }

    /// The service's identity for hub calls about stored data.
    var reference: ServiceIdentity { ServiceIdentity(accessory: location.accessory, service: uniqueIdentifier) }

    /// Returns the object for a characteristic of this service, or `nil` if it has none with that instance ID.
    func characteristic(_ iid: UInt64) -> HMCharacteristic? {
        read { _, service in
            service.characteristics.contains { $0.iid == iid } ? object(iid) : nil
        }
    }

    /// Renumbers the objects of services. Objects without a new number keep their last state, as do their
    /// characteristics. Call this with the hub's state locked.
    static func renumber(
        _ services: [UInt64: HMService],
        last: Home,
        number: (UInt64) -> UInt64?
    ) -> [UInt64: HMService] {
        var renumbered: [UInt64: HMService] = [:]
        for (iid, service) in services {
            let new = number(iid)
            service.location.renumber(new, last: last)
            service.characteristicObjects.withLock { objects in
                let remaining = HMCharacteristic.renumber(objects, last: last) { new == nil ? nil : number($0) }
                // A removed service keeps its characteristics in their last state.
                if new != nil { objects = remaining }
            }
            if let new { renumbered[new] = service }
        }
        return renumbered
    }

    private func read<Value: Sendable>(_ body: (AccessoryRecord, ServiceShape) -> Value?) -> Value? {
        location.read { home, record, iid in
            home.services(of: record).first { $0.iid == iid }.flatMap { body(record, $0) }
        }
    }

    private func object(_ iid: UInt64) -> HMCharacteristic {
        characteristicObjects.withLock { objects in
            if let characteristic = objects[iid] { return characteristic }
            let characteristic = HMCharacteristic(self, location.sibling(iid))
            objects[iid] = characteristic
            return characteristic
        }
    }
}
