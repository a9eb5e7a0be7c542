public import Foundation

/// A part that an accessory plays with several of its services together. ``HMCameraProfile`` is the only one here.
///
/// Profiles come from ``HMAccessory/profiles``. Properties may be read on any thread.
/// - Since: iOS 10.0
public class HMAccessoryProfile: NSObject, @unchecked Sendable {
    // @unchecked: the class has a subclass, so the compiler cannot know; all that it has is constant and Sendable.

    /// Where the services are found.
    let source: ProfileServices

    init(_ id: UUID, _ source: ProfileServices) {
        uniqueIdentifier = id
        self.source = source
    }

    /// The profile's identity. It never changes, and is that of nothing else.
    /// - Since: iOS 10.0
    public let uniqueIdentifier: UUID

    /// The services that make the profile, in the accessory's order: those of ``HMAccessory/services``.
    /// - Since: iOS 10.0
    public var services: [HMService] { source.services }

    /// The accessory that has the profile.
    /// - Since: iOS 10.0
    public var accessory: HMAccessory? { source.accessory }
}
