public import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Synchronization

/// An accessory of a home, or one that an ``HMAccessoryBrowser`` found and that isn't in a home yet.
///
/// Completion handlers and delegate methods are called on the main queue. When a completion handler is called, the
/// accessory already reflects the change. Properties can be read from any thread.
///
/// Get accessories from a home or a browser. An object that the app creates itself, as a placeholder or a test double,
/// belongs to no home: it has no name and no contents, and its calls fail with
/// ``HMError/Code/objectNotAssociatedToAnyHome``.
/// - Since: iOS 8.0
open class HMAccessory: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its own stored properties are immutable and Sendable.

    private enum Location {
        case network(DiscoveredAccessory, HubLink)
        case home(HomeReference)
    }

    private let id: UUID
    private let location: Mutex<Location>
    private let serviceObjects = Mutex<[UInt64: HMService]>([:])
    private let delegateReference = DelegateReference<any HMAccessoryDelegate>()
    /// The accessory's camera profile, once it has been created.
    let cameraObject = Mutex<HMCameraProfile?>(nil)

    /// Creates an accessory that belongs to no home.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Get accessories from a home or a browser.")
    public override init() {
        id = UUID()
        location = Mutex(.home(.detached()))
    }

    /// Creates the object for an accessory of a home.
    init(_ id: UUID, _ homeReference: HomeReference) {
        self.id = id
        location = Mutex(.home(homeReference))
    }

    /// Creates the object for a discovered accessory.
    init(_ found: DiscoveredAccessory, _ link: HubLink) {
        id = found.id
        location = Mutex(.network(found, link))
    }

    /// The accessory's identity. It never changes, not even when a discovered accessory joins a home.
    /// - Since: iOS 9.0
    open var uniqueIdentifier: UUID { id }

    /// The delegate that receives changes, held weakly.
    /// - Since: iOS 8.0
    open var delegate: (any HMAccessoryDelegate)? {
        get { delegateReference.delegate }
        set { delegateReference.set { [weak newValue] in newValue } }
    }

    // MARK: Description

    /// The name that the user gave the accessory or, if it is in no home, the name that it advertises.
    /// - Since: iOS 8.0
    open var name: String { found?.name ?? read { _, record in record.name } ?? "" }

    /// The accessory's category.
    /// - Since: iOS 9.0
    open var category: HMAccessoryCategory {
        HMAccessoryCategory(found?.category ?? read { _, record in record.category } ?? .other)
    }

    /// The manufacturer's name.
    /// - Since: iOS 11.0
    open var manufacturer: String? { read { _, record in record.information.manufacturer } }

    /// The manufacturer's name for the model.
    /// - Since: iOS 11.0
    open var model: String? { found?.model ?? read { _, record in record.information.model } }

    /// The version of the accessory's firmware.
    /// - Since: iOS 11.0
    open var firmwareVersion: String? { read { _, record in record.information.firmwareRevision } }

    /// The accessory's HAP instance ID, or `nil` if it is in no home.
    /// - Since: iOS 26.1
    open var hapInstanceID: NSNumber? { read { _, record in NSNumber(value: record.aid) } }

    /// Always `nil`, because Matter is not supported.
    /// - Since: iOS 16.1
    open var matterNodeID: NSNumber? { nil }

    /// Whether the accessory is reachable.
    /// - Since: iOS 8.0
    open var isReachable: Bool {
        guard let homeReference else { return true }
        guard !homeReference.isGone else { return false }
        return homeReference.context.link.read { $0.isReachable(id) }
    }

    /// Whether the accessory, or the bridge it is behind, is blocked. A blocked accessory isn't reachable. See
    /// ``HMHome/unblockAccessory(_:completionHandler:)``.
    ///
    /// An accessory is blocked only on request, with the hub's own commands. A device that impersonates an accessory
    /// can't get the authentic one blocked.
    /// - Since: iOS 8.0
    open var isBlocked: Bool { read { _, record in record.isBlocked } ?? false }

    /// Whether the accessory supports ``identify(completionHandler:)``.
    /// - Since: iOS 11.3
    open var supportsIdentify: Bool {
        guard homeReference != nil else { return true }
        return read { home, record in
            home.services(of: record).flatMap(\.characteristics).contains { $0.type == HAPType.Characteristic.identify }
        } ?? false
    }

    // MARK: Location

    /// The home, or `nil` if the accessory is in no home.
    /// - Since: iOS 26.1
    open var home: HMHome? {
        guard let homeReference, !homeReference.isGone else { return nil }
        return homeReference.context.home(homeReference.home)
    }

    /// The room, or `nil` if the accessory is in no home.
    /// - Since: iOS 8.0
    open var room: HMRoom? {
        guard let homeReference else { return nil }
        return homeReference.context.rooms(of: homeReference) { home in
            home.accessories[id: id].map { [$0.room] } ?? []
        }.first
    }

    /// Whether the accessory is a bridged accessory.
    /// - Since: iOS 8.0
    open var isBridged: Bool { read { _, record in record.bridge != nil } ?? false }

    /// The identities of the accessories behind this bridge, or `nil` if it isn't a bridge.
    /// - Since: iOS 9.0
    open var uniqueIdentifiersForBridgedAccessories: [UUID]? {
        read { home, record in record.isBridge ? home.accessories(behind: record.id).map(\.id) : nil }
    }

    /// The accessories behind this bridge. Empty if it isn't a bridge.
    /// - Since: iOS 26.1
    open var bridgedAccessories: [HMAccessory] {
        guard let homeReference else { return [] }
        return homeReference.context.accessories(of: homeReference) { $0.accessories(behind: id).map(\.id) }
    }

    /// The accessory's services, in the accessory's order. Empty if it is in no home.
    /// - Since: iOS 8.0
    open var services: [HMService] {
        guard let homeReference else { return [] }
        return read { home, record in
            home.services(of: record).map { service($0.iid, homeReference) }
        } ?? []
    }

    /// The old name of ``uniqueIdentifier``.
    /// - Since: iOS 8.0
    @available(*, deprecated, renamed: "uniqueIdentifier")
    open var identifier: UUID { uniqueIdentifier }

    /// The old name of ``uniqueIdentifiersForBridgedAccessories``.
    /// - Since: iOS 8.0
    @available(*, deprecated, renamed: "uniqueIdentifiersForBridgedAccessories")
    open var identifiersForBridgedAccessories: [UUID]? { uniqueIdentifiersForBridgedAccessories }

    // MARK: Profiles

    /// The accessory's profiles: its camera profile if it is a camera, otherwise none.
    ///
    /// An accessory is a camera if it has a service of type ``HMServiceTypeCameraRTPStreamManagement``. On Apple's
    /// systems televisions and routers have profiles too.
    /// - Since: iOS 11.0
    open var profiles: [HMAccessoryProfile] { cameraProfile.map { [$0] } ?? [] }

    /// The accessory's camera profile, or `nil` if it isn't a camera.
    /// - Since: iOS 10.0
    open var cameraProfiles: [HMCameraProfile]? { cameraProfile.map { [$0] } }

    // MARK: Actions

    /// Renames the accessory in the home. The device keeps its own name.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names,
    /// ``HMError/Code/objectNotAssociatedToAnyHome``, ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    open func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        switch current {
        case .home(let homeReference):
            homeReference.context.call(
                HubMethods.renameAccessory,
                try homeReference.rename(id, to: name),
                completion: completion
            )
        case .network(_, let link):
            link.queue.async { completion(HMError(.objectNotAssociatedToAnyHome)) }
        }
    }

    /// Renames the accessory; see the completion-handler form.
    /// - Since: iOS 8.0
    open func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }

    /// Asks the accessory to identify itself, for example by blinking.
    ///
    /// Errors: ``HMError/Code/accessoryNotReachable``, ``HMError/Code/operationTimedOut``.
    /// - Since: iOS 8.0
    @preconcurrency
    open func identify(completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        switch current {
        case .home(let homeReference):
            homeReference.context.call(
                HubMethods.identifyAccessory,
                try homeReference.item(id),
                completion: completion
            )
        case .network(let found, let link):
            link.call(HubMethods.identifyDiscovered, DiscoveredTarget(id: found.id)) { reply in
                completion(reply.mapError { HMError($0) }.failure)
            }
        }
    }

    /// Asks the accessory to identify itself; see the completion-handler form.
    /// - Since: iOS 8.0
    open func identify() async throws {
        try await completing { identify(completionHandler: $0) }
    }
}

// MARK: - Location

extension HMAccessory {
    private var current: Location { location.withLock { $0 } }

    /// The reference to its home, or `nil` if the accessory is in no home.
    var homeReference: HomeReference? {
        if case .home(let homeReference) = current { homeReference } else { nil }
    }

    /// The accessory's advertisement on the network, or `nil` if it is in a home.
    private var found: DiscoveredAccessory? {
        if case .network(let found, _) = current { found } else { nil }
    }

    /// Replaces the accessory's advertisement.
    func update(_ found: DiscoveredAccessory) {
        location.withLock { location in
            if case .network(_, let link) = location { location = .network(found, link) }
        }
    }

    /// Moves a discovered accessory into a home.
    func join(_ homeReference: HomeReference) {
        location.withLock { $0 = .home(homeReference) }
    }

    /// Reads the accessory's record in its home. Returns `nil` if it is in no home. `body` must not call back into the
    /// object.
    func read<Value: Sendable>(_ body: (Home, AccessoryRecord) -> Value?) -> Value? {
        homeReference?.read { home in
            home.accessories[id: id].flatMap { body(home, $0) }
        }
    }
}

// MARK: - Services

extension HMAccessory {
    /// Notifies the delegate of a characteristic's value.
    func notifyValue(of iid: UInt64) {
        guard let delegate else { return }
        for service in services {
            guard let characteristic = service.characteristic(iid) else { continue }
            delegate.accessory(self, service: service, didUpdateValueFor: characteristic)
        }
    }

    /// Maps the objects of its services from one record to another. A service that persists keeps its object, even if
    /// the accessory has renumbered it. Call this with the hub's state locked.
    func renumber(from before: AccessoryRecord, to after: AccessoryRecord, _ old: Home, _ new: Home) {
        followCamera(from: before, to: after, old, new)
        let now = new.services(of: after).flatMap { [$0.iid] + $0.characteristics.map(\.iid) }
        let numbers = Dictionary(
            now.map { (Home.serviceID(of: $0, in: after), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        serviceObjects.withLock { objects in
            objects = HMService.renumber(objects, last: old) { numbers[Home.serviceID(of: $0, in: before)] }
        }
    }

    /// Returns the object for the service with an instance ID. It may be called with the hub's state locked.
    func service(_ iid: UInt64, _ homeReference: HomeReference) -> HMService {
        serviceObjects.withLock { objects in
            if let service = objects[iid] { return service }
            let service = HMService(self, InstanceLocation(homeReference, accessory: id, iid: iid))
            objects[iid] = service
            return service
        }
    }
}
