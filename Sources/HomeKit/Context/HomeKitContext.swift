import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Synchronization

/// A manager's world: its objects, and the way to the hub that they share.
///
/// Objects hold the context, not the manager. Locks are taken in one order: the hub's state, then the objects, then what
/// an accessory keeps of its services.
final class HomeKitContext: Sendable {
    // A class, because the manager and all of its objects share it.

    private struct State {
        var objects = ManagerObjects()
        weak var manager: HMHomeManager?
    }

    /// The connection to the hub and what it told.
    let link: HubLink
    private let state = Mutex(State())

    init(link: HubLink) {
        self.link = link
    }

    /// Begins to follow the hub for a manager.
    func serve(_ manager: HMHomeManager) {
        state.withLock { $0.manager = manager }
        link.add(self)
    }

    /// The manager, while it lives.
    var manager: HMHomeManager? {
        state.withLock { $0.manager }
    }

    /// Works on the objects. Whatever depends on the hub's state must be called with that locked.
    func withObjects<Result: Sendable>(_ body: (inout ManagerObjects) -> Result) -> Result {
        state.withLock { body(&$0.objects) }
    }

    /// The manager is gone: what the app keeps of its objects goes on, the others end.
    func letGo() {
        withObjects { $0.letGo() }
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

    /// The homes of the user in their order; none until the app was told that they are there.
    var homes: [HMHome] {
        link.read { hub in
            withObjects { objects in
                guard objects.isLoaded else { return [] }
                return hub.account.homes.filter { hub.homes[$0.id] != nil }.map { objects.home($0.id, self) }
            }
        }
    }

    /// The primary home; nil until the app was told that the homes are there, and when there is none.
    var primaryHome: HMHome? {
        link.read { hub in
            guard let id = hub.account.primaryHome?.id, hub.homes[id] != nil else { return nil }
            return withObjects { $0.isLoaded ? $0.home(id, self) : nil }
        }
    }

    /// A home's object, if the home is known.
    func home(_ id: UUID) -> HMHome? {
        link.read { hub in
            hub.homes[id] == nil ? nil : withObjects { $0.home(id, self) }
        }
    }

    /// The objects of the rooms that `select` finds in a home; none when the home is gone.
    func rooms(of view: HomeReference, _ select: (Home) -> [UUID]) -> [HMRoom] {
        objects(of: view, select) { $0.room($1, in: view.home, self) }
    }

    /// The objects of the zones that `select` finds in a home.
    func zones(of view: HomeReference, _ select: (Home) -> [UUID]) -> [HMZone] {
        objects(of: view, select) { $0.zone($1, in: view.home, self) }
    }

    /// The objects of the accessories that `select` finds in a home.
    func accessories(of view: HomeReference, _ select: (Home) -> [UUID]) -> [HMAccessory] {
        objects(of: view, select) { $0.accessory($1, in: view.home, self) }
    }

    /// The objects of the service groups that `select` finds in a home.
    func serviceGroups(of view: HomeReference, _ select: (Home) -> [UUID]) -> [HMServiceGroup] {
        objects(of: view, select) { $0.serviceGroup($1, in: view.home, self) }
    }

    /// The objects of the people that `select` finds in a home.
    func users(of view: HomeReference, _ select: (Home) -> [UUID]) -> [HMUser] {
        objects(of: view, select) { $0.user($1, in: view.home, self) }
    }

    /// The objects of the services that `select` finds in a home, of those that their accessories have.
    func services(of view: HomeReference, _ select: (Home) -> [ServiceIdentity]) -> [HMService] {
        link.read { hub in
            guard !view.isGone, let home = hub.homes[view.home] else { return [] }
            return withObjects { objects in select(home).compactMap { objects.service($0, in: home, self) } }
        }
    }

    private func objects<Object: Sendable>(
        of view: HomeReference,
        _ select: (Home) -> [UUID],
        object: (inout ManagerObjects, UUID) -> Object
    ) -> [Object] {
        link.read { hub in
            guard !view.isGone, let home = hub.homes[view.home] else { return [] }
            let ids = select(home)
            return withObjects { objects in ids.map { object(&objects, $0) } }
        }
    }

    // MARK: Calls

    /// Calls a method of the hub that has no result.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - parameters: What it takes; an error ends the call before it began.
    ///   - names: Where a name may be taken.
    ///   - completion: Runs once, on the app's queue, when the state shows what was done.
    func call<Parameters>(
        _ method: Method<Parameters, Empty>,
        _ parameters: @autoclosure () throws(HMError) -> Parameters,
        among names: HMError.NameScope = .home,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        call(method, try parameters(), among: names) { (reply: Result<Empty, HMError>) in completion(reply.failure) }
    }

    /// Calls a method of the hub.
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

    /// Calls a method of the hub that adds something, and hands over the new object.
    func add<Parameters, Object>(
        _ method: Method<Parameters, Added>,
        _ parameters: Parameters,
        among names: HMError.NameScope = .home,
        _ completion: @escaping @Sendable (Object?, (any Error)?) -> Void,
        object: @escaping @Sendable (HomeKitContext, UUID) -> Object?
    ) {
        call(method, parameters, among: names) { [self] (reply: Result<Added, HMError>) in
            switch reply {
            case .failure(let error):
                completion(nil, error)
            case .success(let added):
                let object = object(self, added.id)
                completion(object, object == nil ? HMError(.notFound) : nil)
            }
        }
    }

    /// Reads one characteristic.
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

    /// Writes one characteristic.
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
    /// What came of a call about one characteristic.
    var outcome: Result<Void, HMError> {
        switch self {
        case .failure(let error): return .failure(HMError(error))
        case .success(let results):
            guard let outcome = results.outcomes.first else {
                return .failure(HMError(.accessorySentInvalidResponse, reason: "The hub's answer is empty."))
            }
            return outcome.error.map { .failure(HMError($0)) } ?? .success(())
        }
    }
}

extension Result {
    /// The error; nil for a success.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
