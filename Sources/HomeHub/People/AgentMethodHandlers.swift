import Foundation
import HomeIdentity
import HomeModel
import HubAPI

/// The methods for agents.
struct AgentMethodHandlers: HubPart {
    let aliases: AliasKey
    let database: HomeDatabase
    let sessions: SessionRegistry
    let hubs: HubTable
    let identity: IdentityKey

    func register(in router: inout MethodRouter) {
        router.on(HubMethods.homeKeys) { (_, session) async throws(HubError) in
            try Self.checkAgent(session, HubMethods.homeKeys.name)
            let keys = session.roles.homes.map { ($0, Data(aliases.homeKey($0))) }
            // A device that has joined the second hub believes that one alone, and the first one may have signed the list.
            let list = hubs.list.map { signed in
                let isListed = signed.list.member(with: identity.publicKey) != nil
                return Data(isListed ? SignedHubList(signed.list, by: identity).bytes : signed.bytes)
            }
            return .done(HomeKeys(user: session.user, keys: Dictionary(uniqueKeysWithValues: keys), hubs: list))
        }
        router.on(HubMethods.sendToDevice) { (parameters, session) async throws(HubError) in
            try Self.checkAgent(session, HubMethods.sendToDevice.name)
            try await send(parameters, from: session)
            return .done(Empty())
        }
    }

    /// Passes a message on to the agent of another device of the same user. The hub keeps nothing of it.
    private func send(_ message: SendToDevice, from session: HubSession) async throws(HubError) {
        guard message.body.count <= SendToDevice.maximumLength else {
            let reason = "A message to a device can have at most \(SendToDevice.maximumLength) bytes."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        let devices = await database.devices(of: session.user)
        guard devices.contains(where: { $0.id == message.device && $0.kind == .agent && !$0.isSuspended }) else {
            throw HubError(HomeError(.notFound, "You have no such device. To list them, run “hearth device list”."))
        }
        let receivers = sessions.all.filter { other in
            other.user == session.user && other.authority.device == message.device && other.isAgent
        }
        guard !receivers.isEmpty else {
            throw HubError(.notAllowedNow, "The device isn't connected. Try again when it is.")
        }
        let event = HubEvent.deviceMessage(DeviceMessage(from: session.authority.device, body: message.body))
        for receiver in receivers { receiver.deliver(.event(event)) }
    }

    private static func checkAgent(_ session: HubSession, _ method: String) throws(HubError) {
        guard !session.isAgent else { return }
        let reason = "Only an agent's own session can call \(method)."
        throw HubError(HomeError(.insufficientPrivileges, reason))
    }
}
