public import Foundation

/// A profile of an accessory, which combines several of its services. ``HMCameraProfile`` is the only one here.
///
/// Get profiles from ``HMAccessory/profiles``. Properties can be read from any thread.
/// - Since: iOS 10.0
public class HMAccessoryProfile: NSObject, @unchecked Sendable {
    // @unchecked because the class has a subclass. Its stored properties are immutable and Sendable.

    /// The source of the services.
    let source: ProfileServices

    init(_ id: UUID, _ source: ProfileServices) {
        uniqueIdentifier = id
        self.source = source
    }

    /// The profile's unique identity. It never changes.
    /// - Since: iOS 10.0
    public let uniqueIdentifier: UUID

    /// The services that make up the profile, in the order of ``HMAccessory/services``.
    /// - Since: iOS 10.0
    public var services: [HMService] { source.services }

    /// The accessory that has the profile.
    /// - Since: iOS 10.0
    public var accessory: HMAccessory? { source.accessory }
}
