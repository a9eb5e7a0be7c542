import Foundation
import HomeModel
import HubAPI

/// Users' devices.
extension HomeDatabase {
    /// A device that a restored backup has brought back.
    struct SuspendedDevice: Sendable {
        var account: UUID
        /// The user's name.
        var user: String
        var device: AccountDeviceRecord
    }

    /// Returns a user's devices.
    func devices(of user: UUID) -> [AccountDeviceRecord] { newest.account(of: user).devices }

    /// The devices of all users that wait for confirmation.
    var suspendedDevices: [SuspendedDevice] {
        newest.accounts.values.flatMap { account in
            account.devices.filter(\.isSuspended).map {
                SuspendedDevice(account: account.user, user: name(of: account.user), device: $0)
            }
        }
    }

    /// The invitations that have ended because a device has joined with them.
    var usedInvitations: Set<UUID> {
        Set(newest.accounts.values.flatMap { $0.devices.compactMap(\.invitation) })
    }

    /// Returns a user's name in one of their homes.
    func name(of user: UUID) -> String {
        newest.homes.values.lazy.compactMap { $0.users[id: user]?.name }.first ?? record(of: user).name
    }

    /// Returns whether a user has a part in a home, or is the hub's own user.
    func isMember(_ user: UUID, owner: UUID) -> Bool {
        user == owner || newest.homes.values.contains { $0.activeRole(of: user) != nil }
    }

    /// Returns whether a user can have another device with a key.
    func hasRoom(forDeviceOf user: UUID) -> Bool {
        devices(of: user).count { $0.kind == .agent } < DeviceLimits.agents(of: user, owner: hubUser)
    }

    /// Decides to add a device. With it, the user has joined the homes that they were invited to: all of it is stored
    /// together or not at all.
    func submit(
        joining device: AccountDeviceRecord,
        of user: UUID,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt? = nil
    ) throws(HubError) -> PendingChange {
        let limit =
            device.kind == .agent
            ? DeviceLimits.agents(of: user, owner: hubUser) : DeviceLimits.devicesPerUser
        return try submit(
            deciding: { () throws(HubError) in
                let account = self.newest.account(of: user)
                // Another device may have joined with the same invitation, at the other hub.
                if let invitation = device.invitation, self.usedInvitations.contains(invitation),
                    !account.devices.contains(where: { $0.id == device.id })
                {
                    throw HubError(.invitationEnded, "The invitation was used. Ask for another one.")
                }
                let addition = AccountRequest.addDevice(device, limit: limit)
                guard let change = try self.rule({ () throws(HomeError) in try account.decide(addition) }) else {
                    return nil
                }
                let drafts = [self.draft(change, in: .account(user), by: caller, cause: cause)]
                return Decision(
                    drafts: drafts + self.joinDrafts(of: user, by: caller, cause: cause),
                    change: change
                )
            },
            receipt: receipt
        )
    }

    /// Decides that an invited user has joined their homes.
    func submit(joinOf user: UUID, by caller: Caller) throws(HubError) -> PendingChange {
        try submit(deciding: { () throws(HubError) in
            let drafts = self.joinDrafts(of: user, by: caller, cause: .hub)
            return drafts.first.map { Decision(drafts: drafts, change: $0.change) }
        })
    }

    private func joinDrafts(of user: UUID, by caller: Caller, cause: Cause) -> [EntryDraft] {
        newest.homes.values.compactMap { home in
            home.joining(user).map { draft($0, in: .home(home.id), by: caller, cause: cause) }
        }
    }

    /// Decides a request about a user's own log that somebody else may make, too.
    func submit(
        _ request: AccountRequest,
        of user: UUID,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt? = nil
    ) throws(HubError) -> PendingChange {
        try submit(
            deciding: { () throws(HubError) in
                let account = self.newest.account(of: user)
                guard let change = try self.rule({ () throws(HomeError) in try account.decide(request) }) else {
                    return nil
                }
                return Decision(
                    drafts: [self.draft(change, in: .account(user), by: caller, cause: cause)],
                    change: change
                )
            },
            receipt: receipt
        )
    }
}
