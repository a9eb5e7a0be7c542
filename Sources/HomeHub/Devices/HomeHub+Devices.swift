package import Foundation
package import HubAPI

/// For listeners whose clients sign in.
extension HomeHub {
    /// Sets the addresses at which the hub serves HTTP, the best first. Until then, no device can sign in.
    ///
    /// - Parameter fingerprint: The fingerprint of the hub's own authority, if devices must trust it.
    package func setSignInAddresses(_ addresses: [String], fingerprint: String? = nil) async {
        await devices.setAddresses(addresses, fingerprint: fingerprint)
        await invitations.setAddresses(addresses, fingerprint: fingerprint)
    }

    /// Creates a code that signs a device of the hub's own user in.
    package func createLogin() async -> LoginCode {
        await devices.createLogin(for: owner.user)
    }

    /// Signs a device in with a code.
    ///
    /// - Parameters:
    ///   - code: The code as the user entered it.
    ///   - name: The device's name.
    ///   - staysSignedIn: Whether the device gets a credential.
    ///   - address: The address of the device, which limits attempts to guess a code.
    package func signIn(
        code: String,
        name: String,
        staysSignedIn: Bool,
        from address: String
    ) async throws(HubError) -> SignIn {
        try await devices.signIn(code: code, name: name, staysSignedIn: staysSignedIn, from: address)
    }

    /// Exchanges a device's credential for a new token and a new credential.
    package func renewSignIn(_ credential: String) async throws(HubError) -> SignIn {
        try await devices.renew(credential)
    }

    /// Signs out the device with a token.
    package func signOut(_ token: String) async throws(HubError) {
        try await devices.signOut(token)
    }

    /// Returns the authority that a token gives.
    package func authority(ofToken token: String) async throws(HubError) -> SessionAuthority {
        try await devices.authority(of: token)
    }

    /// Returns whether a device is still signed in.
    package func isSignedIn(_ device: UUID) async -> Bool {
        await devices.isSignedIn(device)
    }

    /// The methods that clients can call.
    package var methods: [MethodDescription] { router.descriptions }
}
