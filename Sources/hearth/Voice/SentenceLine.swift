/// A sentence of a file: what was said, in which home and room, and in which language.
struct SentenceLine: Decodable {
    struct Context: Decodable {
        var room: String?
    }

    var id: String
    var lang: String
    var text: String
    var home: String
    var context: Context?
}
