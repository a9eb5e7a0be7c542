import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Synchronization

/// A manager's objects and the hub link that they share.
///
/// Objects hold the context, not the manager. Locks are acquired in this order: the hub's state, the objects, then an
/// accessory's services.
final class HomeKitContext: Sendable {
    // This is a class because the manager and all of its objects share it.

    private struct State {
        var objects = ManagerObjects()
        weak var manager: HMHomeManager?
    }

    /// The connection to the hub and the state that the hub reported.
    let link: HubLink
    private let state = Mutex(State())

    init(link: HubLink) {
        self.link = link
    }

    /// Starts following the hub on behalf of a manager.
    func serve(_ manager: HMHomeManager) {
        state.withLock { $0.manager = manager }
        link.add(self)
    }

    /// The manager, or `nil` if it no longer exists.
    var manager: HMHomeManager? {
        state.withLock { $0.manager }
    }

    /// Calls `body` with the objects. If it depends on the hub's state, call it with that state locked.
    func withObjects<Result: Sendable>(_ body: (inout ManagerObjects) -> Result) -> Result {
        state.withLock { body(&$0.objects) }
    }

    /// Releases the manager's objects. Those that the app retains keep working.
    func releaseObjects() {
        withObjects { $0.releaseObjects() }
    }

    // MARK: Objects

    /// Whether the app may use the homes.
    var authorization: HMHomeManagerAuthorizationStatus {
        withObjects { $0.authorization }
    }

    /// Whether the app may not use the homes.
    var isDenied: Bool {
        let status = authorization
        return status.contains(.determined) && !status.contains(.authorized)
    }

    /// The user's homes, in order. Empty until the app was told that they are loaded.
    var homes: [HMHome] {
        link.read { hub in
            withObjects { objects in
                guard objects.isLoaded else { return [] }
                return hub.account.homes.filter { hub.homes[$0.id] != nil }.map { objects.home($0.id, self) }
            }
        }
    }

    /// The primary home, or `nil` if there is none or the app wasn't told yet that the homes are loaded.
    var primaryHome: HMHome? {
        link.read { hub in
            guard let id = hub.account.primaryHome?.id, hub.homes[id] != nil else { return nil }
            return withObjects { $0.isLoaded ? $0.home(id, self) : nil }
        }
    }

    /// Returns a home's object, or `nil` if the home doesn't exist.
    func home(_ id: UUID) -> HMHome? {
        link.read { hub in
            hub.homes[id] == nil ? nil : withObjects { $0.home(id, self) }
        }
    }

    /// Returns the objects for the rooms that `select` returns. Empty if the home is gone.
    func rooms(of homeReference: HomeReference, _ select: (Home) -> [UUID]) -> [HMRoom] {
        objects(of: homeReference, select) { $0.room($1, in: homeReference.home, self) }
    }

    /// Returns the objects for the zones that `select` returns.
    func zones(of homeReference: HomeReference, _ select: (Home) -> [UUID]) -> [HMZone] {
        objects(of: homeReference, select) { $0.zone($1, in: homeReference.home, self) }
    }

    /// Returns the objects for the accessories that `select` returns.
    func accessories(of homeReference: HomeReference, _ select: (Home) -> [UUID]) -> [HMAccessory] {
        objects(of: homeReference, select) { $0.accessory($1, in: homeReference.home, self) }
    }

    /// Returns the objects for the service groups that `select` returns.
    func serviceGroups(of homeReference: HomeReference, _ select: (Home) -> [UUID]) -> [HMServiceGroup] {
        objects(of: homeReference, select) { $0.serviceGroup($1, in: homeReference.home, self) }
    }

    /// Returns the objects for the users that `select` returns.
    func users(of homeReference: HomeReference, _ select: (Home) -> [UUID]) -> [HMUser] {
        objects(of: homeReference, select) { $0.user($1, in: homeReference.home, self) }
    }

    /// Returns the objects for the action sets that `select` returns.
    func actionSets(of homeReference: HomeReference, _ select: (Home) -> [UUID]) -> [HMActionSet] {
        objects(of: homeReference, select) { $0.actionSet($1, in: homeReference.home, self) }
    }

    /// Returns the objects for the triggers that `select` returns.
    func triggers(of homeReference: HomeReference, _ select: (Home) -> [TriggerRecord]) -> [HMTrigger] {
        link.read { hub in
            guard !homeReference.isGone, let home = hub.homes[homeReference.home] else { return [] }
            let records = select(home)
            return withObjects { objects in records.map { objects.trigger($0, in: home.id, self) } }
        }
    }

    /// Returns the object for a characteristic, or `nil` if its accessory currently lacks it.
    func characteristic(_ identity: CharacteristicIdentity, of homeReference: HomeReference) -> HMCharacteristic? {
        let found: (service: HMService, iid: UInt64)? = link.read { hub in
            guard !homeReference.isGone, let home = hub.homes[homeReference.home],
                let (accessory, shape) = home.characteristic(identity),
                let service = home.services(of: accessory).first(where: { $0.characteristics.contains(shape) }),
                let id = home.identity(ofService: service.iid, in: accessory.id)
            else { return nil }
            return withObjects { $0.service(id, in: home, self) }.map { ($0, shape.iid) }
        }
        return found.flatMap { $0.service.characteristic($0.iid) }
    }

    /// Returns the objects for the services that `select` returns, except those that their accessories lack.
    func services(of homeReference: HomeReference, _ select: (Home) -> [ServiceIdentity]) -> [HMService] {
        link.read { hub in
            guard !homeReference.isGone, let home = hub.homes[homeReference.home] else { return [] }
            return withObjects { objects in select(home).compactMap { objects.service($0, in: home, self) } }
        }
    }

    private func objects<Object: Sendable>(
        of homeReference: HomeReference,
        _ select: (Home) -> [UUID],
        object: (inout ManagerObjects, UUID) -> Object
    ) -> [Object] {
        link.read { hub in
            guard !homeReference.isGone, let home = hub.homes[homeReference.home] else { return [] }
            let ids = select(home)
            return withObjects { objects in ids.map { object(&objects, $0) } }
        }
    }

    // MARK: Calls

    /// Calls a hub method that has no result.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - parameters: The parameters. If this throws, the completion handler receives the error and no call is made.
    ///   - names: The scope in which a name must be unique.
    ///   - completion: A closure that is called once, on the app's queue, when the state reflects the change.
    func call<Parameters>(
        _ method: Method<Parameters, Empty>,
        _ parameters: @autoclosure () throws(HMError) -> Parameters,
        among names: HMError.NameScope = .home,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        call(method, try parameters(), among: names) { (reply: Result<Empty, HMError>) in completion(reply.failure) }
    }

    /// Calls a hub method.
    func call<Parameters, Value>(
        _ method: Method<Parameters, Value>,
        _ parameters: @autoclosure () throws(HMError) -> Parameters,
        among names: HMError.NameScope = .home,
        completion: @escaping @Sendable (Result<Value, HMError>) -> Void
    ) {
        do throws(HMError) {
            link.call(method, try parameters()) { reply in
                completion(reply.mapError { HMError($0, among: names) })
            }
        } catch {
            link.queue.async { completion(.failure(error)) }
        }
    }

    /// Calls a hub method that adds an object, and passes the new object to the completion handler.
    func add<Parameters, Object>(
        _ method: Method<Parameters, AddedItem>,
        _ parameters: Parameters,
        among names: HMError.NameScope = .home,
        _ completion: @escaping @Sendable (Object?, (any Error)?) -> Void,
        object: @escaping @Sendable (HomeKitContext, UUID) -> Object?
    ) {
        call(method, parameters, among: names) { [self] (reply: Result<AddedItem, HMError>) in
            switch reply {
            case .failure(let error):
                completion(nil, error)
            case .success(let added):
                let object = object(self, added.id)
                completion(object, object == nil ? HMError(.notFound) : nil)
            }
        }
    }

    /// Reads a characteristic.
    func read(
        _ characteristic: CharacteristicReference,
        of target: @autoclosure () throws(HMError) -> ReadBatches.Target,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        do throws(HMError) {
            link.read(characteristic, of: try target()) { reply in
                switch reply {
                case .success(let outcome): completion(outcome.error.map { HMError($0) })
                case .failure(let error): completion(HMError(error))
                }
            }
        } catch {
            link.queue.async { completion(error) }
        }
    }

    /// Calls a hub method that concerns one characteristic.
    func exchange<Parameters>(
        _ method: Method<Parameters, CharacteristicResults>,
        _ parameters: @autoclosure () throws(HMError) -> Parameters,
        in home: UUID,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        do throws(HMError) {
            link.exchange(method, try parameters(), in: home) { completion($0.outcome.failure) }
        } catch {
            link.queue.async { completion(error) }
        }
    }
}

extension Result where Success == CharacteristicResults, Failure == HubError {
    /// The result for the only characteristic of the call.
    var outcome: Result<Void, HMError> {
        switch self {
        case .failure(let error): return .failure(HMError(error))
        case .success(let results):
            guard let outcome = results.outcomes.first else {
                return .failure(HMError(.accessorySentInvalidResponse, reason: "The hub's response is empty."))
            }
            return outcome.error.map { .failure(HMError($0)) } ?? .success(())
        }
    }
}

extension Result {
    /// The error, or `nil` if the result is a success.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
