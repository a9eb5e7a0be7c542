import HomeKit

/// The list of a home's members, with a button that opens the system's own sheet.
class MemberList: NSObject {
    let store: HomeStore
    let home: HMHome
    /// A line for each member: the user of the app first.
    private(set) var rows = [String]()
    /// The error of the last sheet; `nil` if it was closed without one.
    private(set) var failure: HMError.Code?

    init(store: HomeStore, home: HMHome) {
        self.store = store
        self.home = home
        super.init()
        home.delegate = store
        store.addHomeDelegate(self)
        reloadData()
    }

    private func reloadData() {
        rows = ([home.currentUser] + home.users).map { user in
            let control = home.homeAccessControl(for: user)
            return "\(user.name) (\(control.isAdministrator ? "Administrator" : "Guest"))"
        }
    }

    /// The action of the “Invite…” and “Edit” buttons.
    func manageMembers(completion: @escaping () -> Void) {
        home.manageUsers { error in
            self.failure = (error as? HMError)?.code
            self.reloadData()
            completion()
        }
    }
}

extension MemberList: HMHomeDelegate {
    func home(_ home: HMHome, didAdd user: HMUser) {
        reloadData()
    }

    func home(_ home: HMHome, didRemove user: HMUser) {
        reloadData()
    }

    func homeDidUpdateAccessControl(forCurrentUser home: HMHome) {
        reloadData()
    }
}
