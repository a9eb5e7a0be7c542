import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import Logging

/// Devices that join over the network, after the exchange has proved that they know an invitation's secret.
extension InvitationManager {
    /// Returns an open invitation, as the exchange needs it; with `nil` the open code.
    func open(_ id: InvitationID?) throws(JoinFailure) -> JoinInvitation {
        guard let invitation = stored(id), let verifier = invitation.verifier, invitation.triesLeft > 0 else {
            throw .invitationEnded
        }
        return JoinInvitation(
            id: InvitationID(invitation.id),
            verifier: verifier,
            comparesDigits: invitation.kind != .code
        )
    }

    /// Records a wrong try on the disk.
    ///
    /// - Returns: The number of tries left. With 0, the invitation has ended.
    func countTry(of id: InvitationID) async throws(JoinFailure) -> Int {
        guard var invitation = stored(id) else { throw .invitationEnded }
        invitation.tries = (invitation.tries ?? 0) + 1
        replace(invitation.id, with: invitation)
        let left = invitation.triesLeft
        do throws(HubError) {
            if left > 0 {
                try await save(invitation)
            } else {
                log.warning("An invitation ended because of too many wrong tries.")
                try await end(invitation)
            }
        } catch {
            throw JoinFailure(.internalError, error.reason)
        }
        return left
    }

    /// Adds a device, or lets it wait for somebody who compares the digits.
    func join(
        _ request: JoinRequest,
        by key: PublicKey,
        with id: InvitationID,
        digits: CheckDigits
    ) async throws(JoinFailure) -> JoinReply {
        if let known = table.device(with: key) { return try await repetition(of: known, with: id) }
        guard request.isValid else {
            throw JoinFailure(.malformedMessage, "The device's name is invalid.")
        }
        let isHub = request.kind == .hub
        if let invitation = stored(id), (invitation.isForHub == true) != isHub {
            let (expected, actual) = isHub ? ("device", "hub") : ("hub", "device")
            let reason = "The invitation is for a \(expected), and a \(actual) wants to join."
            throw JoinFailure(.wrongKind, "\(reason) Ask for another one.")
        }
        guard !isHub || !hubs.isPaired else { throw Self.failure(Self.tooManyHubs) }
        guard let found = stored(id), await mayInvite(found.user, by: found.inviter),
            await database.isMember(found.user, owner: owner.user)
        else { throw .invitationEnded }
        let hasRoom = if isHub { true } else { await database.hasRoom(forDeviceOf: found.user) }
        guard hasRoom else { throw Self.failure(tooManyDevices(of: found)) }
        // Another device may have used it in the meantime.
        guard var invitation = stored(id), invitation.pending == nil || invitation.pending?.key == key else {
            throw .invitationEnded
        }
        let former = invitation
        let name = invitation.name ?? request.name
        let device = invitation.pending?.device ?? UUID()
        invitation.pending = StoredInvitation.Pending(
            device: device,
            key: key,
            name: Account.deviceName(name),
            digits: digits.number,
            box: request.box,
            time: now()
        )
        do throws(HubError) {
            if invitation.kind == .code {
                try await admit(invitation, confirmedBy: nil)
            } else {
                replace(invitation.id, with: invitation)
                try await save(invitation)
                await ask(about: invitation)
            }
        } catch {
            // It is still open: the device tries again, with another key.
            if invitations[invitation.id] == invitation { replace(invitation.id, with: former) }
            throw Self.failure(error)
        }
        return await reply(to: invitation.user, device, isWaiting: invitation.kind != .code)
    }

    /// Answers a device that lost the reply.
    private func repetition(of known: DeviceTable.Known, with id: InvitationID) async throws(JoinFailure) -> JoinReply {
        guard let invitation = known.device.invitation, InvitationID(invitation) == id,
            now().timeIntervalSince(known.device.added) < TimeInterval(JoinLimits.repetitionTime)
        else { throw .invitationEnded }
        return await reply(to: known.user, known.device.id, isWaiting: false)
    }

    private func reply(to user: UUID, _ device: UUID, isWaiting: Bool) async -> JoinReply {
        JoinReply(
            hubName: "Hearth on \(ProcessInfo.processInfo.hostName)",
            user: user,
            userName: await database.name(of: user),
            device: device,
            state: isWaiting ? .waiting : .joined
        )
    }

    /// Adds the device that waits, which ends the invitation: the device's record names it.
    ///
    /// - Parameter answer: The answer of who compared the digits; `nil` if nobody had to.
    private func admit(_ invitation: StoredInvitation, confirmedBy answer: QuestionAnswers?) async throws(HubError) {
        guard let pending = invitation.pending else { return }
        // Nobody else can use the invitation meanwhile, or answer twice.
        guard beingUsed.insert(invitation.id).inserted else { return }
        defer { beingUsed.remove(invitation.id) }
        if let box = pending.box {
            let member = HubMember(id: pending.device, key: pending.key, box: box)
            try await hubs.add(member, founder: try await ownMember(), by: identity)
            // It tells its name itself only when it has connected.
            _ = await hubs.setOtherHub(OtherHub(id: pending.device, name: pending.name))
            log.info("Another hub keeps the homes too.", metadata: [LogKey.device: "\(pending.device)"])
            let origin = Origin(cause: .person, caller: answer?.caller)
            activities.publish(.hub(HubActivity(event: .joined(hub: pending.name), time: now(), origin: origin)))
            // The list has ended it. Two hubs change nothing before one leads, which then removes the rest.
            return await forget(invitation)
        }
        let record = AccountDeviceRecord(
            id: pending.device,
            name: pending.name,
            kind: .agent,
            key: pending.key.bytes,
            added: now(),
            addedBy: invitation.user == invitation.inviter ? invitation.device : nil,
            invitation: invitation.id
        )
        let client =
            answer?.caller ?? Caller(user: invitation.user, device: pending.device, app: "hearth", client: UUID())
        let change = try await database.submit(
            joining: record,
            of: invitation.user,
            by: client,
            cause: answer == nil ? .hub : .person
        )
        try await change.committed()
        log.info("A device joined.", metadata: [LogKey.device: "\(pending.device)"])
        await publish(.joined(name: record.name), of: invitation.user, in: nil)
        do throws(HubError) {
            try await endUsed(invitation, by: pending.key)
        } catch {
            // The record has ended it, and the next start removes the rest.
            replace(invitation.id, with: nil)
            log.warning("A used invitation could not be removed.", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// This hub, as it is in the first list.
    private func ownMember() async throws(HubError) -> HubMember {
        do {
            let box = try await HubIdentity.box(in: store)
            return HubMember(id: owner.device, key: identity.publicKey, box: box.publicBox)
        } catch {
            throw error as? HubError ?? HubError(.storeFailure, "The hub's box could not be stored: \(error)")
        }
    }

    // MARK: Questions

    /// Asks those who may confirm whether the device shows the digits.
    func ask(about invitation: StoredInvitation) async {
        guard let pending = invitation.pending, let digits = CheckDigits(pending.digits) else { return }
        if let former = asked.removeValue(forKey: invitation.id) { await questions.withdraw(former) }
        let choices = [QuestionField.Choice(QuestionField.yes, "Yes"), QuestionField.Choice(QuestionField.no, "No")]
        let draft = QuestionDraft(
            kind: .joining,
            text: "\(await request(of: pending, invitation)) Does it show \(digits.text)?",
            audience: await audience(of: invitation),
            fields: [QuestionField("answer", choices: choices)],
            digits: digits.digits
        )
        let id = invitation.id
        // The other hub of two has the invitation, and asks as well.
        asked[id] = await questions.post(
            draft,
            from: "hearth.hub",
            until: invitation.expires,
            sharing: false
        ) { result in
            Task { await self.close(id, pending, result) }
        }
    }

    private func request(of pending: StoredInvitation.Pending, _ invitation: StoredInvitation) async -> String {
        guard pending.box == nil else {
            return
                "The hub “\(pending.name)” wants to keep your homes together with this one, with all users and devices."
        }
        return "“\(pending.name)” wants to join \(await purpose(of: invitation))."
    }

    private func purpose(of invitation: StoredInvitation) async -> String {
        guard let home = invitation.home, let user = await database.home(home)?.users[id: invitation.user] else {
            return "as your device"
        }
        return "as \(user.name), \(user.role.rawValue)"
    }

    /// The user's own devices, or those who can edit the home. Only its owner lets in somebody who can.
    private func audience(of invitation: StoredInvitation) async -> QuestionDraft.Audience {
        guard let id = invitation.home, let home = await database.home(id) else { return .person(invitation.user) }
        guard home.activeRole(of: invitation.user)?.canEditLayout == true else { return .editors(of: id) }
        return .person(home.users.first { $0.role == .owner }?.id ?? invitation.inviter)
    }

    private func close(
        _ id: UUID,
        _ pending: StoredInvitation.Pending,
        _ result: Result<QuestionAnswers, HubError>
    ) async {
        // A question that was replaced or withdrawn has no say any longer.
        guard let invitation = invitations[id], invitation.pending == pending else { return }
        asked[id] = nil
        do throws(HubError) {
            switch result {
            case .success(let answers) where answers.values["answer"] == QuestionField.yes:
                guard await mayInvite(invitation.user, by: invitation.inviter) else { return try await end(invitation) }
                try await admit(invitation, confirmedBy: answers)
            case .success: try await end(invitation)
            case .failure(let error) where error == QuestionManager.declined: try await end(invitation)
            case .failure: break
            }
        } catch {
            log.warning("A device couldn't join.", metadata: [LogKey.error: "\(error)"])
            if let open = invitations[id] { await ask(about: open) }
        }
    }

    /// Asks the hub's own user about the devices that a restored backup has brought back.
    func askAboutRestoredDevices() async {
        let suspended = await database.suspendedDevices
        guard !suspended.isEmpty else { return }
        let names = suspended.map { "“\($0.device.name)” (\($0.user))" }.joined(separator: ", ")
        let choices = [QuestionField.Choice(QuestionField.yes, "Yes"), QuestionField.Choice(QuestionField.no, "No")]
        let draft = QuestionDraft(
            kind: .restoredDevices,
            text: "The hub was restored from a backup. May these devices use it again: \(names)?",
            audience: .person(owner.user),
            fields: [QuestionField("answer", choices: choices)]
        )
        let lasting = now().addingTimeInterval(TimeInterval(DeviceLimits.invitationLifetime / .seconds(1)))
        _ = await questions.post(draft, from: "hearth.hub", until: lasting) { result in
            guard case .success(let answers) = result else { return }
            Task { await self.settle(suspended.map { ($0.account, $0.device.id) }, answers) }
        }
    }

    private func settle(_ devices: [(user: UUID, id: UUID)], _ answers: QuestionAnswers) async {
        let isYes = answers.values["answer"] == QuestionField.yes
        for (user, ids) in Dictionary(grouping: devices, by: \.user) {
            let devices = await database.devices(of: user).filter { $0.isSuspended && ids.map(\.id).contains($0.id) }
            let chosen = devices.map(\.id)
            let request = isYes ? AccountRequest.confirmDevices(chosen) : .removeDevices(chosen, at: now())
            guard !chosen.isEmpty, let caller = answers.caller else { continue }
            do throws(HubError) {
                try await database.submit(request, of: user, by: caller, cause: .person).committed()
                guard !isYes else { continue }
                for device in devices {
                    let origin = Origin(cause: .person, caller: caller)
                    await publish(.removed(name: device.name), of: user, in: nil, by: origin)
                }
            } catch {
                log.warning("Restored devices couldn't be settled.", metadata: [LogKey.error: "\(error)"])
            }
        }
    }

    // MARK: Failures

    private func tooManyDevices(of invitation: StoredInvitation) -> HubError {
        Self.tooManyDevices(of: invitation.user, owner)
    }

    private static func failure(_ error: HubError) -> JoinFailure {
        switch error.code {
        case .tooManyDevices, HubError.Code(rawValue: "limitExceeded"):
            JoinFailure(.tooManyDevices, error.reason)
        case tooManyHubs.code: JoinFailure(.tooManyHubs, error.reason)
        default: JoinFailure(.internalError, error.reason)
        }
    }
}
