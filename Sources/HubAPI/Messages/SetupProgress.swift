/// How far a guided setup has come.
///
/// The hub sends it only to the connection that started the setup, and only if that has a
/// ``SetUpAccessories/reference``. On the connection, it is in order with the setup's questions.
package struct SetupProgress: Hashable, Sendable, Codable {
    /// A step. Unknown ones are preserved.
    package struct Step: Hashable, Sendable, Codable, RawRepresentable {
        /// The step's name.
        package var rawValue: String

        /// Creates a step from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The hub looks for the accessory on the network.
        package static let looking = Step(rawValue: "looking")
        /// The hub checks the setup code with the accessory. A slow accessory takes half a minute.
        package static let pairing = Step(rawValue: "pairing")
        /// The hub reads what the accessory offers.
        package static let reading = Step(rawValue: "reading")
        /// The user chooses names and rooms.
        package static let placing = Step(rawValue: "placing")
        /// The hub adds the accessory to the home.
        package static let saving = Step(rawValue: "saving")
        /// The accessory is in the home.
        package static let done = Step(rawValue: "done")
    }

    /// The reference of the setup.
    package var reference: String
    /// The step that begins.
    package var step: Step
    /// The name that the accessory advertises, once it is known.
    package var accessory: String?

    /// Creates a report.
    package init(reference: String, step: Step, accessory: String? = nil) {
        self.reference = reference
        self.step = step
        self.accessory = accessory
    }
}
