public import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Synchronization

/// One value of a service: whether a lamp is on, how bright it is, which position a door is to take.
///
/// Completions are called on the main queue. Properties may be read on any thread.
///
/// Objects come from a service. One that the app makes itself, as a placeholder or as a subclass that stands in for the real
/// thing in a test, is in no home: it has no name and nothing in it, and its calls end with
/// ``HMError/Code/objectNotAssociatedToAnyHome``.
/// - Since: iOS 8.0
open class HMCharacteristic: NSObject, @unchecked Sendable {
    // @unchecked: the class is open, so the compiler cannot know; all that it has itself is constant and Sendable.

    private weak let owner: HMService?
    private let position: InstanceLocation
    private let identity = Mutex<UUID?>(nil)
    private let authorization = Mutex<Data?>(nil)

    /// Makes a characteristic of no home.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Its objects come from a service.")
    public override init() {
        owner = nil
        position = .ofNoHome()
    }

    init(_ service: HMService, _ position: consuming InstanceLocation) {
        owner = service
        self.position = position
    }

    /// The service that has the characteristic.
    /// - Since: iOS 8.0
    open var service: HMService? { owner }

    /// The characteristic's identity. It never changes.
    /// - Since: iOS 9.0
    open var uniqueIdentifier: UUID {
        if let identity = identity.withLock({ $0 }) { return identity }
        let id = position.read { _, record, iid in Home.characteristicID(of: iid, in: record) }
        guard let id else { return position.accessory }
        identity.withLock { $0 = id }
        return id
    }

    // MARK: What it is

    /// The characteristic's type, for example ``HMCharacteristicTypeBrightness``, or a maker's own: a UUID in capitals.
    /// - Since: iOS 8.0
    open var characteristicType: String { read { $0.type.longForm } ?? "" }

    /// The type in words, for example “Target Door State”; of a maker's own type the maker's description or the UUID.
    /// - Since: iOS 9.0
    open var localizedDescription: String {
        read { shape in
            CharacteristicDefinition.of(shape.type)?.localizedDescription
                ?? shape.metadata.manufacturerDescription
                ?? shape.type.longForm
        } ?? ""
    }

    /// What can be done with it: ``HMCharacteristicPropertyReadable`` and its like.
    /// - Since: iOS 8.0
    open var properties: [String] { read { $0.permissions.properties } ?? [] }

    /// What the value may be.
    /// - Since: iOS 8.0
    open var metadata: HMCharacteristicMetadata? { read { HMCharacteristicMetadata($0.metadata) } }

    // MARK: Its value

    /// The last known value; nil when it has not been read yet. Numbers and bools are `NSNumber`s and can be cast to
    /// whatever holds them; text is a `String`, bytes are `Data`.
    /// - Since: iOS 8.0
    open var value: Any? {
        guard let shape = shape, !shape.permissions.isDisjoint(with: [.read, .notify]) else { return nil }
        let key = position.key
        return position.view.context.link.read { $0.values[key] }?.boxed(as: shape.metadata.format)
    }

    /// Reads the value from the accessory; ``value`` shows it when the completion is called.
    ///
    /// Errors: ``HMError/Code/writeOnlyCharacteristic``, ``HMError/Code/accessoryNotReachable``,
    /// ``HMError/Code/operationTimedOut``.
    /// - Since: iOS 8.0
    @preconcurrency
    open func readValue(completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        position.view.context.read(position.reference, of: try reading(), completion: completion)
    }

    /// Reads the value; see the form with a completion.
    /// - Since: iOS 8.0
    open func readValue() async throws {
        try await completing { readValue(completionHandler: $0) }
    }

    /// Writes a value: a number of whatever type that can be converted without loss, a bool, text or bytes. The
    /// completion is called without an error when the accessory took it; ``value`` shows it then.
    ///
    /// Errors: ``HMError/Code/readOnlyCharacteristic``, ``HMError/Code/nilParameter``,
    /// ``HMError/Code/invalidValueType``, ``HMError/Code/valueLowerThanMinimum``,
    /// ``HMError/Code/valueHigherThanMaximum``, ``HMError/Code/stringLongerThanMaximum``,
    /// ``HMError/Code/invalidParameter`` for one that is not among the valid values,
    /// ``HMError/Code/invalidOrMissingAuthorizationData`` when the accessory wants a proof that the write is allowed and
    /// that of ``updateAuthorizationData(_:completionHandler:)`` does not do,
    /// ``HMError/Code/accessoryNotReachable``, ``HMError/Code/operationTimedOut``.
    /// - Since: iOS 8.0
    @preconcurrency
    open func writeValue(
        _ value: Any?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let view = position.view
        view.context.exchange(HubMethods.write, try writing(value), in: view.home) { [self] error in
            // Of what asks for a proof, an accessory can but say that the one it got does not do.
            guard let refusal = error as? HMError, refusal.code == .accessDenied, requiresAuthorization else {
                return completion(error)
            }
            completion(HMError(.invalidOrMissingAuthorizationData, userInfo: refusal.userInfo))
        }
    }

    /// Writes a value; see the form with a completion. Runs where the caller does, since an `Any` may not be handed to
    /// another actor.
    /// - Since: iOS 8.0
    nonisolated(nonsending) open func writeValue(_ value: Any?) async throws {
        try await completing { writeValue(value, completionHandler: $0) }
    }

    /// Keeps what shows the accessory that a write is allowed, for a characteristic that asks for it
    /// (``HMCharacteristicPropertyRequiresAuthorizationData``); nil forgets it. Every later write through this manager
    /// carries it. Unlike on Apple's systems it lasts no longer than the manager.
    ///
    /// Errors: ``HMError/Code/objectNotAssociatedToAnyHome``.
    /// - Since: iOS 8.0
    @preconcurrency
    open func updateAuthorizationData(
        _ data: Data?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let isGone = position.view.isGone
        if !isGone { authorization.withLock { $0 = data } }
        deliver { completion(isGone ? HMError(.objectNotAssociatedToAnyHome) : nil) }
    }

    /// Keeps what shows the accessory that a write is allowed; see the form with a completion.
    /// - Since: iOS 8.0
    open func updateAuthorizationData(_ data: Data?) async throws {
        try await completing { updateAuthorizationData(data, completionHandler: $0) }
    }

    // MARK: Its changes

    /// Whether ``HMAccessoryDelegate/accessory(_:service:didUpdateValueFor:)`` reports changes now. It is `false` while the
    /// accessory isn't reachable, and `true` again once it is back.
    /// - Since: iOS 8.0
    open var isNotificationEnabled: Bool {
        let key = position.key
        let context = position.view.context
        return context.link.read { hub in
            context.isSubscribed(to: key) && hub.isReachable(key.characteristic.accessory)
        }
    }

    /// Turns the reporting of changes on or off, for this manager.
    ///
    /// Once on, it stays on until the app turns it off or the characteristic is gone from the home: an accessory that comes
    /// back, and a hub that restarts, need no second call. If the value changed meanwhile, the delegate is told once.
    ///
    /// Errors: ``HMError/Code/notificationNotSupported``, ``HMError/Code/accessoryNotReachable``.
    /// - Since: iOS 8.0
    @preconcurrency
    open func enableNotification(
        _ enable: Bool,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let context = position.view.context
        do throws(HMError) {
            try check(.notify, orElse: .notificationNotSupported)
            context.setNotified(position.key, enable, completion: completion)
        } catch {
            deliver { completion(error) }
        }
    }

    /// Turns the telling of changes on or off; see the form with a completion.
    /// - Since: iOS 8.0
    open func enableNotification(_ enable: Bool) async throws {
        try await completing { enableNotification(enable, completionHandler: $0) }
    }
}

extension HMCharacteristic {
    /// Renumbers the objects of characteristics; those that get no number keep what they last were. Call it with the
    /// hub's state locked.
    static func renumber(
        _ characteristics: [UInt64: HMCharacteristic],
        last: Home,
        number: (UInt64) -> UInt64?
    ) -> [UInt64: HMCharacteristic] {
        var renumbered: [UInt64: HMCharacteristic] = [:]
        for (iid, characteristic) in characteristics {
            let new = number(iid)
            characteristic.position.renumber(new, last: last)
            if let new { renumbered[new] = characteristic }
        }
        return renumbered
    }

    private var shape: CharacteristicShape? { read { $0 } }

    private var requiresAuthorization: Bool { shape?.permissions.contains(.additionalAuthorization) ?? false }

    /// Runs what a completion has to do where completions run.
    func deliver(_ completion: @escaping @Sendable () -> Void) {
        position.view.context.link.queue.async { completion() }
    }

    /// Refuses a value that the characteristic does not take.
    func checkWritable(_ value: Any?) throws(HMError) {
        _ = try writing(value)
    }

    private func read<Value: Sendable>(_ body: (CharacteristicShape) -> Value?) -> Value? {
        position.read { home, record, iid in
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
        try position.view.check()
        guard let shape else { throw HMError(.notFound) }
        guard shape.permissions.contains(permission) else { throw HMError(code) }
        return shape
    }

    private func reading() throws(HMError) -> ReadBatches.Target {
        try check(.read, orElse: .writeOnlyCharacteristic)
        let server = position.read { _, record, _ in record.server }
        return ReadBatches.Target(home: position.view.home, server: server ?? "")
    }

    private func writing(_ value: Any?) throws(HMError) -> WriteCharacteristics {
        let shape = try check(.write, orElse: .readOnlyCharacteristic)
        guard let value else { throw HMError(.nilParameter) }
        guard let value = CharacteristicValue(value) else {
            throw HMError(.invalidValueType, reason: "A \(type(of: value)) is not a number, a bool, text or bytes.")
        }
        do throws(CharacteristicValueError) {
            // A value between two steps goes to the accessory, which knows what to make of it.
            let value = try shape.metadata.validate(value, checkingStep: false)
            let write = WriteCharacteristics.Write(
                characteristic: position.reference,
                value: value,
                authorizationData: authorization.withLock { $0 }
            )
            return WriteCharacteristics(home: position.view.home, writes: [write])
        } catch {
            throw HMError(error)
        }
    }
}

extension CharacteristicPermissions {
    /// The framework's words for what can be done with a characteristic.
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
    /// The name in the framework's words, where it has a constant for the type (“Power State”), else HAP's (“On”).
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
