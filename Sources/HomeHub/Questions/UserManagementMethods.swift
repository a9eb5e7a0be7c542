import Foundation
import HomeModel
import HubAPI

/// Asks the questions that Apple's system asks in its own sheets: whom to invite to a home, and the users' roles.
///
/// The app's user answers them.
struct UserManagementMethods: HubPart {
    /// The names of the questions' fields.
    private enum Field {
        static let name = "name"
        static let role = "role"
        static let person = "person"
        static let invite = "invite"
    }

    private static let nobody = "nobody"
    private static let removed = "removed"

    let database: HomeDatabase
    let questions: QuestionManager
    let invitations: InvitationManager

    /// Registers the methods.
    func register(in router: inout MethodRouter) {
        router.on(HubMethods.inviteUser) { (parameters, session, request) async throws(HubError) in
            .committing { () async throws(HubError) in try await invite(to: parameters.home, for: session, request) }
        }
        router.on(HubMethods.manageUsers) { (parameters, session, request) async throws(HubError) in
            .committing { () async throws(HubError) in try await manage(parameters.home, for: session, request) }
        }
    }

    // MARK: Invitations

    private func invite(
        to home: UUID,
        for session: HubSession,
        _ keyed: KeyedRequest?
    ) async throws(HubError) -> Committed<AddedItem> {
        try await database.checkMayEdit(home, session.user)
        let acquaintances = await database.knownUsers(of: session.user, notIn: home)
        let caller = session.caller
        let answers = try await questions.answers(
            to: QuestionDraft(
                kind: .invitation,
                text: "Whom do you want to invite to “\(await database.name(of: home, to: session.user))”?",
                audience: .person(session.user),
                fields: Self.invitationFields(acquaintances)
            ),
            for: session
        ) { (answers) async throws(HubError) in
            let invitation = Self.invitation(answers, acquaintances)
            let request = AddUser(id: invitation.id, name: invitation.name, role: invitation.role)
            _ = try await database.preview([request], in: home, by: caller)
        }
        let invitation = Self.invitation(answers.values, acquaintances)
        defer { offerLink(to: [invitation.id], in: home, by: session) }
        let added = AddedItem(id: session.projection.alias(of: invitation.id, in: home))
        let isNew = !acquaintances.contains { $0.id == invitation.id }
        return try await database.submit(
            AddUser(id: invitation.id, name: invitation.name, role: invitation.role, isInvited: isNew),
            in: home,
            by: caller,
            cause: session.cause(agreedBy: answers.user),
            receipt: try keyed?.receipt(added)
        ).committed(added)
    }

    /// Shows the user a link for each user who was invited. The app doesn't wait for it.
    private func offerLink(to users: [UUID], in home: UUID, by session: HubSession) {
        Task {
            for user in users { await invitations.offerLink(to: user, in: home, by: session) }
        }
    }

    private static func invitationFields(_ acquaintances: [UserRecord]) -> [QuestionField] {
        let name = QuestionField(Field.name, "Name", suggestion: acquaintances.isEmpty ? nil : "")
        let roles = [role(.guest), role(.administrator)]
        let fields = [name, QuestionField(Field.role, "Role", suggestion: Role.guest.rawValue, choices: roles)]
        guard !acquaintances.isEmpty else { return fields }
        let people = acquaintances.enumerated().map { QuestionField.Choice(Self.person($0.offset), $0.element.name) }
        return fields + [
            QuestionField(
                Field.person,
                "Or a user from another home",
                suggestion: nobody,
                choices: [QuestionField.Choice(nobody, "Nobody")] + people
            )
        ]
    }

    /// Returns the user that the answers identify. A known user keeps their ID, and their name unless another is given.
    private static func invitation(_ answers: [String: String], _ acquaintances: [UserRecord]) -> UserRecord {
        let known = acquaintances.enumerated().first { Self.person($0.offset) == answers[Field.person] }?.element
        let name = answers[Field.name] ?? ""
        return UserRecord(
            id: known?.id ?? UUID(),
            name: name.isEmpty ? known?.name ?? "" : name,
            role: Role(rawValue: answers[Field.role] ?? "")
        )
    }

    // MARK: Roles

    private func manage(
        _ home: UUID,
        for session: HubSession,
        _ keyed: KeyedRequest?
    ) async throws(HubError) -> Committed<Empty> {
        try await database.checkMayEdit(home, session.user)
        let others = try await database.home(home, for: session.user).users.filter {
            $0.role != .owner && $0.id != session.user
        }
        let person = session.person
        let answers = try await questions.answers(
            to: QuestionDraft(
                kind: .people,
                text: "Who has access to “\(await database.name(of: home, to: session.user))”?",
                audience: .person(session.user),
                fields: others.enumerated().map { Self.field($0.offset, $0.element) } + [
                    QuestionField(Field.invite, "Invite someone, by name", suggestion: "")
                ]
            ),
            for: session
        ) { (answers) async throws(HubError) in
            _ = try await database.preview(Self.requests(answers, others), in: home, by: person)
        }
        let requests = Self.requests(answers.values, others)
        defer {
            offerLink(to: requests.compactMap { ($0 as? AddUser)?.id }, in: home, by: session)
        }
        let cause = session.cause(agreedBy: answers.user)
        return try await database.submit(requests, in: home, by: person, cause: cause) { (_) throws(HubError) in
            try keyed?.receipt(Empty())
        }
        .committed(Empty())
    }

    private static func field(_ place: Int, _ user: UserRecord) -> QuestionField {
        QuestionField(
            person(place),
            user.name,
            suggestion: user.role.rawValue,
            choices: [role(.guest), role(.administrator), QuestionField.Choice(removed, "Remove")]
        )
    }

    /// Returns the requests that give each user the role in the answers.
    private static func requests(_ answers: [String: String], _ others: [UserRecord]) -> [any HomeRequest] {
        var requests: [any HomeRequest] = []
        for (place, user) in others.enumerated() {
            guard let answer = answers[person(place)], answer != user.role.rawValue else { continue }
            requests.append(
                answer == removed ? RemoveUser(user.id) : SetRole(Role(rawValue: answer), of: user.id)
            )
        }
        if let name = answers[Field.invite], !name.isEmpty {
            requests.append(AddUser(id: UUID(), name: name, role: .guest, isInvited: true))
        }
        return requests
    }

    /// Returns the name of a user's field. It isn't an alias, because other apps can read the question, and the user
    /// has a different alias there.
    private static func person(_ place: Int) -> String { "person\(place + 1)" }

    private static func role(_ role: Role) -> QuestionField.Choice {
        QuestionField.Choice(role.rawValue, role == .administrator ? "Administrator" : "Guest")
    }
}
