public import Foundation

/// What Apple's system asks in a sheet of its own, put to whoever can answer: the page, `hearth questions`, a test.
///
/// A question has one or more fields, which are answered together. A reader that does not know its kind shows the text and
/// the fields' labels.
public struct Question: Hashable, Sendable, Codable, Identifiable {
    /// What is asked. Kept open: a reader that does not know a kind shows the text.
    public struct Kind: Hashable, Sendable, Codable, RawRepresentable {
        /// The kind's name.
        public var rawValue: String

        /// Wraps a kind's name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The set-up code of an accessory, as `ddd-dd-ddd` or eight digits.
        public static let setupCode = Kind(rawValue: "setupCode")
        /// Whom to invite to a home.
        public static let invitation = Kind(rawValue: "invitation")
        /// Who is to have which part in a home.
        public static let people = Kind(rawValue: "people")
        /// Whether an app may use the person's homes.
        public static let app = Kind(rawValue: "app")
        /// To which home accessories are added.
        public static let home = Kind(rawValue: "home")
        /// Which of the accessories on the network is added.
        public static let accessory = Kind(rawValue: "accessory")
        /// Whether an accessory that is not certified is added.
        public static let uncertifiedAccessory = Kind(rawValue: "uncertifiedAccessory")
        /// Names and rooms of accessories that are being added, and what their services are called and stand for.
        public static let accessoryDetails = Kind(rawValue: "accessoryDetails")
    }

    /// The question's identity.
    public var id: UUID
    /// What is asked.
    public var kind: Kind
    /// The question in words for people.
    public var text: String
    /// The home that it is about, if it is about one: those who may change its layout may answer.
    public var home: UUID?
    /// The HAP device id of the accessory that it is about, if it is about one.
    public var deviceID: String?
    /// The app that caused it.
    public var app: String
    /// What is to be answered; at least one.
    public var fields: [QuestionField]
    /// When it ends unanswered, in the hub's time.
    public var expires: Date

    /// Makes a question.
    public init(
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
