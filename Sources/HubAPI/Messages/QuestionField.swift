package import Foundation

/// A field of a ``Question``.
package struct QuestionField: Hashable, Sendable, Codable, Identifiable {
    /// An answer that a field accepts.
    package struct Choice: Hashable, Sendable, Codable {
        /// The value to send as the answer.
        package var value: String
        /// The human-readable label, which is also accepted as an answer.
        package var label: String

        /// Creates a choice.
        package init(_ value: String, _ label: String) {
            self.value = value
            self.label = label
        }
    }

    /// The value of a choice that agrees to something.
    package static let yes = "yes"
    /// The value of a choice that refuses something.
    package static let no = "no"

    /// What a field is about, for clients that lay out or translate the fields themselves.
    package struct Subject: Hashable, Sendable, Codable {
        /// The property that the answer sets. Unknown values are preserved.
        package struct Property: Hashable, Sendable, Codable, RawRepresentable {
            /// The property's name.
            package var rawValue: String

            /// Creates a property from its name.
            package init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The name of the accessory or of the service.
            package static let name = Property(rawValue: "name")
            /// The room of the accessory.
            package static let room = Property(rawValue: "room")
            /// The associated type of the service.
            package static let type = Property(rawValue: "type")
            /// Whether the service is a favorite.
            package static let favorite = Property(rawValue: "favorite")
        }

        /// The property that the answer sets.
        package var property: Property
        /// The ID that the accessory has once it is added.
        package var accessory: UUID
        /// The name that the accessory reports.
        package var reportedName: String
        /// The instance ID of the service; `nil` if the field is about the accessory.
        package var service: UInt64?
        /// The service's ``ServiceKind``, by name.
        package var kind: String?

        /// Creates a subject.
        package init(
            _ property: Property,
            accessory: UUID,
            reportedName: String,
            service: UInt64? = nil,
            kind: String? = nil
        ) {
            self.property = property
            self.accessory = accessory
            self.reportedName = reportedName
            self.service = service
            self.kind = kind
        }
    }

    /// The field's name, unique in its question.
    package var id: String
    /// The human-readable label; empty if the question's text is sufficient.
    package var label: String
    /// The value to use if the field is left empty; `nil` if the field is required.
    package var suggestion: String?
    /// The accepted answers; empty if any text is accepted.
    package var choices: [Choice]
    /// Whether a text that is none of the choices is accepted too, as the name of something new; `nil` is `false`.
    package var acceptsNew: Bool?
    /// What the field is about, in the form of a guided setup.
    package var subject: Subject?
    /// Whether to hide the answer while it is typed; `nil` is `false`.
    package var isSecret: Bool?

    /// Creates a field.
    package init(
        _ id: String,
        _ label: String = "",
        suggestion: String? = nil,
        choices: [Choice] = [],
        acceptsNew: Bool? = nil,
        subject: Subject? = nil,
        isSecret: Bool? = nil
    ) {
        self.id = id
        self.label = label
        self.suggestion = suggestion
        self.choices = choices
        self.acceptsNew = acceptsNew
        self.subject = subject
        self.isSecret = isSecret
    }

    /// The only field of a question that takes a single text.
    package static let answer = QuestionField("answer")
}
