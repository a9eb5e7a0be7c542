public import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Synchronization

/// An accessory: one of a home, or one that an ``HMAccessoryBrowser`` found and that is in no home yet.
///
/// Completions and the delegate are called on the main queue, completions when the accessory shows what was done.
/// Properties may be read on any thread.
///
/// Objects come from a home or a browser. One that the app makes itself, as a placeholder or as a subclass that stands in for the real
/// thing in a test, is in no home: it has no name and nothing in it, and its calls end with
/// ``HMError/Code/objectNotAssociatedToAnyHome``.
/// - Since: iOS 8.0
open class HMAccessory: NSObject, @unchecked Sendable {
    // @unchecked: the class is open, so the compiler cannot know; all that it has itself is constant and Sendable.

    private enum Place {
        case network(DiscoveredAccessory, HubLink)
        case home(HomeReference)
    }

    private let id: UUID
    private let place: Mutex<Place>
    private let serviceObjects = Mutex<[UInt64: HMService]>([:])
    private let delegateReference = DelegateReference<any HMAccessoryDelegate>()
    /// The object of the camera that the accessory is, once it was handed out.
    let cameraObject = Mutex<HMCameraProfile?>(nil)

    /// Makes an accessory of no home.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Its objects come from a home or a browser.")
    public override init() {
        id = UUID()
        place = Mutex(.home(.ofNoHome()))
    }

    /// Makes the object of an accessory of a home.
    init(_ id: UUID, _ view: HomeReference) {
        self.id = id
        place = Mutex(.home(view))
    }

    /// Makes the object of an accessory that was found.
    init(_ found: DiscoveredAccessory, _ link: HubLink) {
        id = found.id
        place = Mutex(.network(found, link))
    }

    /// The accessory's identity. It never changes; an accessory that was found takes it into its home.
    /// - Since: iOS 9.0
    open var uniqueIdentifier: UUID { id }

    /// Who hears of changes; held weakly.
    /// - Since: iOS 8.0
    open var delegate: (any HMAccessoryDelegate)? {
        get { delegateReference.delegate }
        set { delegateReference.set { [weak newValue] in newValue } }
    }

    // MARK: What it is

    /// The name that people gave the accessory; of one in no home, the name under which it shows itself.
    /// - Since: iOS 8.0
    open var name: String { found?.name ?? read { _, record in record.name } ?? "" }

    /// What the accessory mainly is.
    /// - Since: iOS 9.0
    open var category: HMAccessoryCategory {
        HMAccessoryCategory(found?.category ?? read { _, record in record.category } ?? .other)
    }

    /// The maker's name.
    /// - Since: iOS 11.0
    open var manufacturer: String? { read { _, record in record.information.manufacturer } }

    /// The maker's name of the model.
    /// - Since: iOS 11.0
    open var model: String? { found?.model ?? read { _, record in record.information.model } }

    /// The version of the accessory's firmware.
    /// - Since: iOS 11.0
    open var firmwareVersion: String? { read { _, record in record.information.firmwareRevision } }

    /// The accessory's instance id in HAP; nil while it is in no home.
    /// - Since: iOS 26.1
    open var hapInstanceID: NSNumber? { read { _, record in NSNumber(value: record.aid) } }

    /// Whether the accessory can be reached now.
    /// - Since: iOS 8.0
    open var isReachable: Bool {
        guard let view else { return true }
        guard !view.isGone else { return false }
        return view.context.link.read { $0.isReachable(id) }
    }

    /// Whether the accessory was shut out of the home, and behind a bridge whether the bridge was; see
    /// ``HMHome/unblockAccessory(_:completionHandler:)``. It cannot be reached then.
    ///
    /// Only people block accessories here, with the hub's own commands: who merely poses as an accessory on the network
    /// cannot get the genuine one blocked.
    /// - Since: iOS 8.0
    open var isBlocked: Bool { read { _, record in record.isBlocked } ?? false }

    /// Whether ``identify(completionHandler:)`` makes the accessory show itself.
    /// - Since: iOS 11.3
    open var supportsIdentify: Bool {
        guard view != nil else { return true }
        return read { home, record in
            home.services(of: record).flatMap(\.characteristics).contains { $0.type == HAPType.Characteristic.identify }
        } ?? false
    }

    // MARK: Where it is

    /// The home; nil when the accessory is in none.
    /// - Since: iOS 26.1
    open var home: HMHome? {
        guard let view, !view.isGone else { return nil }
        return view.context.home(view.home)
    }

    /// The room; nil when the accessory is in no home.
    /// - Since: iOS 8.0
    open var room: HMRoom? {
        guard let view else { return nil }
        return view.context.rooms(of: view) { home in
            home.accessories[id: id].map { [$0.room] } ?? []
        }.first
    }

    /// Whether the accessory is behind a bridge.
    /// - Since: iOS 8.0
    open var isBridged: Bool { read { _, record in record.bridge != nil } ?? false }

    /// The identities of the accessories behind this bridge; nil when it is no bridge.
    /// - Since: iOS 9.0
    open var uniqueIdentifiersForBridgedAccessories: [UUID]? {
        read { home, record in record.isBridge ? home.accessories(behind: record.id).map(\.id) : nil }
    }

    /// The accessories behind this bridge; none when it is no bridge.
    /// - Since: iOS 26.1
    open var bridgedAccessories: [HMAccessory] {
        guard let view else { return [] }
        return view.context.accessories(of: view) { $0.accessories(behind: id).map(\.id) }
    }

    /// The accessory's services in its own order; none while it is in no home.
    /// - Since: iOS 8.0
    open var services: [HMService] {
        guard let view else { return [] }
        return read { home, record in
            home.services(of: record).map { service($0.iid, view) }
        } ?? []
    }

    /// The former name of ``uniqueIdentifier``.
    /// - Since: iOS 8.0
    @available(*, deprecated, renamed: "uniqueIdentifier")
    open var identifier: UUID { uniqueIdentifier }

    /// The former name of ``uniqueIdentifiersForBridgedAccessories``.
    /// - Since: iOS 8.0
    @available(*, deprecated, renamed: "uniqueIdentifiersForBridgedAccessories")
    open var identifiersForBridgedAccessories: [UUID]? { uniqueIdentifiersForBridgedAccessories }

    // MARK: What part it plays

    /// The parts that the accessory plays: the camera, if it is one; else none.
    ///
    /// A camera is what has a service of ``HMServiceTypeCameraRTPStreamManagement``. On Apple's systems televisions and
    /// routers have profiles too.
    /// - Since: iOS 11.0
    open var profiles: [HMAccessoryProfile] { cameraProfile.map { [$0] } ?? [] }

    /// The accessory's camera; nil when it is none.
    /// - Since: iOS 10.0
    open var cameraProfiles: [HMCameraProfile]? { cameraProfile.map { [$0] } }

    // MARK: What can be done with it

    /// Renames the accessory in the home; the device itself keeps its own name.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and those of ill-formed names,
    /// ``HMError/Code/objectNotAssociatedToAnyHome``, ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    open func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        switch current {
        case .home(let view):
            view.context.call(
                HubMethods.renameAccessory,
                try view.rename(id, to: name),
                completion: completion
            )
        case .network(_, let link):
            link.queue.async { completion(HMError(.objectNotAssociatedToAnyHome)) }
        }
    }

    /// Renames the accessory; see the form with a completion.
    /// - Since: iOS 8.0
    open func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }

    /// Lets the accessory show itself, by a blinking lamp for example.
    ///
    /// Errors: ``HMError/Code/accessoryNotReachable``, ``HMError/Code/operationTimedOut``.
    /// - Since: iOS 8.0
    @preconcurrency
    open func identify(completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        switch current {
        case .home(let view):
            view.context.call(
                HubMethods.identifyAccessory,
                try view.target(id, view),
                completion: completion
            )
        case .network(let found, let link):
            link.call(HubMethods.identifyDiscovered, DiscoveredTarget(id: found.id)) { reply in
                completion(reply.mapError { HMError($0) }.failure)
            }
        }
    }

    /// Lets the accessory show itself; see the form with a completion.
    /// - Since: iOS 8.0
    open func identify() async throws {
        try await completing { identify(completionHandler: $0) }
    }
}

// MARK: - Place

extension HMAccessory {
    private var current: Place { place.withLock { $0 } }

    /// The view of its home; nil while the accessory is in no home.
    var view: HomeReference? {
        if case .home(let view) = current { view } else { nil }
    }

    /// What it shows of itself on the network; nil for one of a home.
    private var found: DiscoveredAccessory? {
        if case .network(let found, _) = current { found } else { nil }
    }

    /// Takes in what the accessory shows of itself now.
    func update(_ found: DiscoveredAccessory) {
        place.withLock { place in
            if case .network(_, let link) = place { place = .network(found, link) }
        }
    }

    /// The accessory that was found is a home's now.
    func join(_ view: HomeReference) {
        place.withLock { $0 = .home(view) }
    }

    /// Reads the accessory's record in its home; nil when it is in none. `body` must not call back into the object.
    func read<Value: Sendable>(_ body: (Home, AccessoryRecord) -> Value?) -> Value? {
        view?.read { home in
            home.accessories[id: id].flatMap { body(home, $0) }
        }
    }
}

// MARK: - Services

extension HMAccessory {
    /// Tells the delegate of a characteristic's value.
    func tellValue(of iid: UInt64) {
        guard let delegate else { return }
        for service in services {
            guard let characteristic = service.characteristic(iid) else { continue }
            delegate.accessory(self, service: service, didUpdateValueFor: characteristic)
        }
    }

    /// Lets the objects of its services follow from one record to another: what is the same keeps its object, though the
    /// accessory may have numbered it anew. Call it with the hub's state locked.
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

    /// The object of the service of a number. It may be called with the hub's state locked.
    func service(_ iid: UInt64, _ view: HomeReference) -> HMService {
        serviceObjects.withLock { objects in
            if let service = objects[iid] { return service }
            let service = HMService(self, InstanceLocation(view, accessory: id, iid: iid))
            objects[iid] = service
            return service
        }
    }
}
