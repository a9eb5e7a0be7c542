import Testing

/// The suites with streams in real time. One test runs at a time: on a busy machine, many streams at once are late, and peers give
/// up.
@Suite(.serialized) enum StreamsOneByOne {}
