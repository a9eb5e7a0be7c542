package import Foundation

/// What Apple's system asks in a sheet of its own, put to whoever can answer: the page, `hearth questions`, a test.
///
/// A question has one or more fields, which are answered together. A reader that does not know its kind shows the text and
/// the fields' labels.
package struct Question: Hashable, Sendable, Codable, Identifiable {
    /// What is asked. Kept open: a reader that does not know a kind shows the text.
    package struct Kind: Hashable, Sendable, Codable, RawRepresentable {
        /// The kind's name.
        package var rawValue: String

        /// Wraps a kind's name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The set-up code of an accessory, as `ddd-dd-ddd` or eight digits.
        package static let setupCode = Kind(rawValue: "setupCode")
        /// Whom to invite to a home.
        package static let invitation = Kind(rawValue: "invitation")
        /// Who is to have which part in a home.
        package static let people = Kind(rawValue: "people")
        /// Whether an app may use the person's homes.
        package static let app = Kind(rawValue: "app")
        /// To which home accessories are added.
        package static let home = Kind(rawValue: "home")
        /// Which of the accessories on the network is added.
        package static let accessory = Kind(rawValue: "accessory")
        /// Whether an accessory that is not certified is added.
        package static let uncertifiedAccessory = Kind(rawValue: "uncertifiedAccessory")
        /// Names and rooms of accessories that are being added, and what their services are called and stand for.
        package static let accessoryDetails = Kind(rawValue: "accessoryDetails")
    }

    /// The question's identity.
    package var id: UUID
    /// What is asked.
    package var kind: Kind
    /// The question in words for people.
    package var text: String
    /// The home that it is about, if it is about one: those who may change its layout may answer.
    package var home: UUID?
    /// The HAP device id of the accessory that it is about, if it is about one.
    package var deviceID: String?
    /// The app that caused it.
    package var app: String
    /// What is to be answered; at least one.
    package var fields: [QuestionField]
    /// When it ends unanswered, in the hub's time.
    package var expires: Date

    /// Makes a question.
    package init(
        id: UUID,
        kind: Kind,
        text: String,
        home: UUID?,
        deviceID: String?,
        app: String,
        fields: [QuestionField] = [.answer],
        expires: Date
    ) {
        self.id = id
        self.kind = kind
        self.text = text
        self.home = home
        self.deviceID = deviceID
        self.app = app
        self.fields = fields
        self.expires = expires
    }
}
