public import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Synchronization

/// A characteristic of a service, such as whether a lamp is on, its brightness, or the target position of a door.
///
/// Completion handlers are called on the main queue. Properties can be read from any thread.
///
/// Get characteristics from a service. An object that the app creates itself, as a placeholder or a test double,
/// belongs to no home: it has no name and no contents, and its calls fail with
/// ``HMError/Code/objectNotAssociatedToAnyHome``.
/// - Since: iOS 8.0
open class HMCharacteristic: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its own stored properties are immutable and Sendable.

    private weak let owner: HMService?
    private let location: InstanceLocation
    private let identity = Mutex<UUID?>(nil)
    private let authorization = Mutex<Data?>(nil)

    /// Creates a characteristic that belongs to no home.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Get characteristics from a service.")
    public override init() {
        owner = nil
        location = .detached()
    }

    init(_ service: HMService, _ location: consuming InstanceLocation) {
        owner = service
        self.location = location
    }

    /// The service that has the characteristic.
    /// - Since: iOS 8.0
    open var service: HMService? { owner }

    /// The characteristic's identity. It never changes.
    /// - Since: iOS 9.0
    open var uniqueIdentifier: UUID {
        if let identity = identity.withLock({ $0 }) { return identity }
        let id = location.read { _, record, iid in Home.characteristicID(of: iid, in: record) }
        guard let id else { return location.accessory }
        identity.withLock { $0 = id }
        return id
    }

    // MARK: Description

    /// The characteristic's type, for example ``HMCharacteristicTypeBrightness``. A custom type is a UUID in uppercase.
    /// - Since: iOS 8.0
    open var characteristicType: String { read { $0.type.longForm } ?? "" }

    /// A description of the type, for example “Target Door State”. For a custom type, the manufacturer's description or
    /// the UUID.
    /// - Since: iOS 9.0
    open var localizedDescription: String {
        read { shape in
            CharacteristicDefinition.of(shape.type)?.localizedDescription
                ?? shape.metadata.manufacturerDescription
                ?? shape.type.longForm
        } ?? ""
    }

    /// The operations that the characteristic supports, such as ``HMCharacteristicPropertyReadable``.
    /// - Since: iOS 8.0
    open var properties: [String] { read { $0.permissions.properties } ?? [] }

    /// The constraints on the value.
    /// - Since: iOS 8.0
    open var metadata: HMCharacteristicMetadata? { read { HMCharacteristicMetadata($0.metadata) } }

    // MARK: Value

    /// The last known value, or `nil` if it hasn't been read. Numbers and Bools are `NSNumber`s, which can be cast to
    /// any type that can represent them; text is a `String`, bytes are `Data`.
    /// - Since: iOS 8.0
    open var value: Any? {
        guard let shape = shape, !shape.permissions.isDisjoint(with: [.read, .notify]) else { return nil }
        let key = location.key
        return location.homeReference.context.link.read { $0.values[key] }?.boxed(as: shape.metadata.format)
    }

    /// Reads the value from the accessory. When the completion handler is called, ``value`` returns it.
    ///
    /// Errors: ``HMError/Code/writeOnlyCharacteristic``, ``HMError/Code/accessoryNotReachable``,
    /// ``HMError/Code/operationTimedOut``.
    /// - Since: iOS 8.0
    @preconcurrency
    open func readValue(completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        location.homeReference.context.read(location.reference, of: try reading(), completion: completion)
    }

    /// Reads the value; see the completion-handler form.
    /// - Since: iOS 8.0
    open func readValue() async throws {
        try await completing { readValue(completionHandler: $0) }
    }

    /// Writes a value: a number of any type that can be converted without loss, a Bool, a string or data. If the
    /// accessory accepts it, the completion handler receives no error and ``value`` returns the new value.
    ///
    /// Errors: ``HMError/Code/readOnlyCharacteristic``, ``HMError/Code/nilParameter``,
    /// ``HMError/Code/invalidValueType``, ``HMError/Code/valueLowerThanMinimum``,
    /// ``HMError/Code/valueHigherThanMaximum``, ``HMError/Code/stringLongerThanMaximum``,
    /// ``HMError/Code/invalidParameter`` if the value isn't one of the valid values,
    /// ``HMError/Code/invalidOrMissingAuthorizationData`` if the accessory requires authorization and rejects the data
    /// set by ``updateAuthorizationData(_:completionHandler:)``, ``HMError/Code/accessoryNotReachable``,
    /// ``HMError/Code/operationTimedOut``.
    /// - Since: iOS 8.0
    @preconcurrency
    open func writeValue(
        _ value: Any?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let homeReference = location.homeReference
        homeReference.context.exchange(HubMethods.write, try writing(value), in: homeReference.home) { [self] error in
            // If a characteristic requires authorization, the accessory can only accept or reject the data.
            guard let refusal = error as? HMError, refusal.code == .accessDenied, requiresAuthorization else {
                return completion(error)
            }
            completion(HMError(.invalidOrMissingAuthorizationData, userInfo: refusal.userInfo))
        }
    }

    /// Writes a value; see the completion-handler form. Runs on the caller's executor, because an `Any` may not be sent
    /// to another actor.
    /// - Since: iOS 8.0
    nonisolated(nonsending) open func writeValue(_ value: Any?) async throws {
        try await completing { writeValue(value, completionHandler: $0) }
    }

    /// Stores authorization data for a characteristic that requires it
    /// (``HMCharacteristicPropertyRequiresAuthorizationData``). Pass `nil` to discard it.
    ///
    /// Every later write through this manager carries the data. Unlike on Apple's systems, it is discarded with the
    /// manager.
    ///
    /// Errors: ``HMError/Code/objectNotAssociatedToAnyHome``.
    /// - Since: iOS 8.0
    @preconcurrency
    open func updateAuthorizationData(
        _ data: Data?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let isGone = location.homeReference.isGone
        if !isGone { authorization.withLock { $0 = data } }
        deliver { completion(isGone ? HMError(.objectNotAssociatedToAnyHome) : nil) }
    }

    /// Stores authorization data; see the completion-handler form.
    /// - Since: iOS 8.0
    open func updateAuthorizationData(_ data: Data?) async throws {
        try await completing { updateAuthorizationData(data, completionHandler: $0) }
    }

    // MARK: Notifications

    /// Whether ``HMAccessoryDelegate/accessory(_:service:didUpdateValueFor:)`` currently reports changes. It is `false`
    /// while the accessory isn't reachable, and `true` again once it is.
    /// - Since: iOS 8.0
    open var isNotificationEnabled: Bool {
        let key = location.key
        let context = location.homeReference.context
        return context.link.read { hub in
            context.isSubscribed(to: key) && hub.isReachable(key.characteristic.accessory)
        }
    }

    /// Enables or disables notifications of changes, for this manager.
    ///
    /// Notifications stay enabled until the app disables them or the characteristic is removed from the home. They
    /// don't need to be enabled again after the accessory reconnects or the hub restarts. If the value changed in the
    /// meantime, the delegate is called once.
    ///
    /// Errors: ``HMError/Code/notificationNotSupported``, ``HMError/Code/accessoryNotReachable``.
    /// - Since: iOS 8.0
    @preconcurrency
    open func enableNotification(
        _ enable: Bool,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let context = location.homeReference.context
        do throws(HMError) {
            try check(.notify, orElse: .notificationNotSupported)
            context.setNotified(location.key, enable, completion: completion)
        } catch {
            deliver { completion(error) }
        }
    }

    /// Enables or disables notifications of changes; see the completion-handler form.
    /// - Since: iOS 8.0
    open func enableNotification(_ enable: Bool) async throws {
        try await completing { enableNotification(enable, completionHandler: $0) }
    }
}

extension HMCharacteristic {
    /// Renumbers the objects of characteristics. Objects without a new number keep their last state. Call this with the
    /// hub's state locked.
    static func renumber(
        _ characteristics: [UInt64: HMCharacteristic],
        last: Home,
        number: (UInt64) -> UInt64?
    ) -> [UInt64: HMCharacteristic] {
        var renumbered: [UInt64: HMCharacteristic] = [:]
        for (iid, characteristic) in characteristics {
            let new = number(iid)
            characteristic.location.renumber(new, last: last)
            if let new { renumbered[new] = characteristic }
        }
        return renumbered
    }

    private var shape: CharacteristicShape? { read { $0 } }

    private var requiresAuthorization: Bool { shape?.permissions.contains(.additionalAuthorization) ?? false }

    /// Runs a completion handler on the queue for completion handlers.
    func deliver(_ completion: @escaping @Sendable () -> Void) {
        location.homeReference.context.link.queue.async { completion() }
    }

    /// The reference to its home.
    var homeReference: HomeReference { location.homeReference }

    /// The characteristic's identity in stored data, or `nil` if its accessory lacks it.
    var lastIdentity: CharacteristicIdentity? {
        location.read { home, record, iid in home.identity(ofCharacteristic: iid, in: record.id) }
    }

    /// The characteristic's format, or `nil` if its accessory lacks it.
    var format: CharacteristicFormat? { shape?.metadata.format }

    /// Returns the characteristic's identity in a home's stored data. Throws if the characteristic isn't in the home.
    func identity(in home: HomeReference) throws(HMError) -> CharacteristicIdentity {
        try home.check(homeReference)
        guard let identity = lastIdentity else { throw HMError(.notFound) }
        return identity
    }

    /// Throws if the characteristic doesn't accept the value.
    func checkWritable(_ value: Any?) throws(HMError) {
        _ = try writing(value)
    }

    private func read<Value: Sendable>(_ body: (CharacteristicShape) -> Value?) -> Value? {
        location.read { home, record, iid in
            for service in home.services(of: record) {
                if let shape = service.characteristics.first(where: { $0.iid == iid }) { return body(shape) }
            }
            return nil
        }
    }

    @discardableResult
    private func check(
        _ permission: CharacteristicPermissions,
        orElse code: HMError.Code
    ) throws(HMError) -> CharacteristicShape {
        try location.homeReference.check()
        guard let shape else { throw HMError(.notFound) }
        guard shape.permissions.contains(permission) else { throw HMError(code) }
        return shape
    }

    private func reading() throws(HMError) -> ReadBatches.Target {
        try check(.read, orElse: .writeOnlyCharacteristic)
        let server = location.read { _, record, _ in record.server }
        return ReadBatches.Target(home: location.homeReference.home, server: server ?? "")
    }

    private func writing(_ value: Any?) throws(HMError) -> WriteCharacteristics {
        let shape = try check(.write, orElse: .readOnlyCharacteristic)
        guard let value else { throw HMError(.nilParameter) }
        let known = try CharacteristicValue(checking: value)
        do throws(CharacteristicValueError) {
            // The accessory decides how to handle a value between two steps.
            let value = try shape.metadata.validate(known, checkingStep: false)
            let write = WriteCharacteristics.Write(
                characteristic: location.reference,
                value: value,
                authorizationData: authorization.withLock { $0 }
            )
            return WriteCharacteristics(home: location.homeReference.home, writes: [write])
        } catch {
            throw HMError(error)
        }
    }
}

extension CharacteristicPermissions {
    /// The framework's names for the permissions.
    fileprivate var properties: [String] {
        let table: [(CharacteristicPermissions, String)] = [
            (.read, HMCharacteristicPropertyReadable),
            (.write, HMCharacteristicPropertyWritable),
            (.notify, HMCharacteristicPropertySupportsEventNotification),
            (.hidden, HMCharacteristicPropertyHidden),
            (.additionalAuthorization, HMCharacteristicPropertyRequiresAuthorizationData),
        ]
        return table.filter { contains($0.0) }.map(\.1)
    }
}

extension CharacteristicDefinition {
    /// The name in the framework's words if it has a constant for the type (“Power State”), otherwise HAP's name
    /// (“On”).
    fileprivate var localizedDescription: String {
        let prefix = "HMCharacteristicType"
        guard let words = homeKitConstant?.dropFirst(prefix.count), words.allSatisfy(\.isLetter) else { return name }
        var text = ""
        for character in words {
            if character.isUppercase, text.last?.isLowercase == true { text.append(" ") }
            text.append(character)
        }
        return text
    }
}
