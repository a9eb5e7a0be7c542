package import Foundation

/// A question that Apple's system would ask in its own sheet. A page, `hearth questions` or a test can answer it.
///
/// A question has one or more fields, which are answered together. A client that doesn't know the kind shows the text
/// and the fields' labels.
package struct Question: Hashable, Sendable, Codable, Identifiable {
    /// The kind of question. Unknown kinds are preserved: a client that doesn't know the kind shows the text.
    package struct Kind: Hashable, Sendable, Codable, RawRepresentable {
        /// The kind's name.
        package var rawValue: String

        /// Creates a kind from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The setup code of an accessory, as `ddd-dd-ddd` or eight digits.
        package static let setupCode = Kind(rawValue: "setupCode")
        /// The person to invite to a home.
        package static let invitation = Kind(rawValue: "invitation")
        /// The users' roles in a home.
        package static let people = Kind(rawValue: "people")
        /// What a sentence meant, or whether to do what it asks for.
        package static let voice = Kind(rawValue: "voice")
        /// Whether an AI assistant may unlock or open something.
        package static let assistant = Kind(rawValue: "assistant")
        /// Whether an app may use the user's homes.
        package static let app = Kind(rawValue: "app")
        /// The home that accessories are added to.
        package static let home = Kind(rawValue: "home")
        /// The accessory to add, among those on the network.
        package static let accessory = Kind(rawValue: "accessory")
        /// Whether to add an accessory that isn't certified.
        package static let uncertifiedAccessory = Kind(rawValue: "uncertifiedAccessory")
        /// The names and rooms of accessories that are being added, and the names and types of their services.
        package static let accessoryDetails = Kind(rawValue: "accessoryDetails")
        /// The name and passphrase of the Wi-Fi network that an accessory should join.
        package static let network = Kind(rawValue: "network")
        /// Whether a device that wants to join shows the digits in ``Question/digits``.
        package static let joining = Kind(rawValue: "joining")
        /// Shows the invitation in ``Question/link`` and ``Question/pageLinks``, for the invited user. Any answer closes it.
        package static let invitationLink = Kind(rawValue: "invitationLink")
        /// Whether to readmit the devices that a backup has brought back.
        package static let restoredDevices = Kind(rawValue: "restoredDevices")
        /// The password of a receiver that was chosen for audio.
        package static let receiverPassword = Kind(rawValue: "receiverPassword")
        /// The PIN that a receiver shows that was chosen for audio.
        package static let receiverPIN = Kind(rawValue: "receiverPIN")
    }

    /// The question's ID.
    package var id: UUID
    /// The kind of question.
    package var kind: Kind
    /// The question as human-readable text.
    package var text: String
    /// The home that the question is about, if any. Users who can change its layout may answer.
    package var home: UUID?
    /// The HAP device ID of the accessory that the question is about, if any.
    package var deviceID: String?
    /// The app that caused the question.
    package var app: String
    /// The fields to fill in; at least one.
    package var fields: [QuestionField]
    /// When the question expires, in the hub's time. ``HubMethods/renewQuestion`` postpones it.
    package var expires: Date
    /// The ``SetUpAccessories/reference`` of the guided setup, the ``Say/reference`` of the sentence or the
    /// ``ChooseRoute/reference`` of the choice that asks, if any.
    package var reference: String?
    /// The number of answers that are still accepted, this one included, if the one before was wrong; otherwise `nil`.
    package var triesLeft: Int?
    /// The six digits that a joining device shows, if the question is about one.
    package var digits: String?
    /// The link for `hearth join` that the question shows, if any.
    package var link: LoginLink?
    /// The links to the page that the question shows, if any.
    package var pageLinks: [LoginLink]?

    /// Creates a question.
    package init(
        id: UUID,
        kind: Kind,
        text: String,
        home: UUID?,
        deviceID: String?,
        app: String,
        fields: [QuestionField] = [.answer],
        expires: Date,
        reference: String? = nil,
        triesLeft: Int? = nil,
        digits: String? = nil,
        link: LoginLink? = nil,
        pageLinks: [LoginLink]? = nil
    ) {
        self.id = id
        self.kind = kind
        self.text = text
        self.home = home
        self.deviceID = deviceID
        self.app = app
        self.fields = fields
        self.expires = expires
        self.reference = reference
        self.triesLeft = triesLeft
        self.digits = digits
        self.link = link
        self.pageLinks = pageLinks
    }
}
