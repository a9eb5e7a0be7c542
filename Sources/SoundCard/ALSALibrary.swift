internal import Glibc

/// The functions of ALSA's library. It is loaded when a sound card is first used, so neither building nor other uses of
/// the program need it.
struct ALSALibrary: Sendable {
    static let name = "libasound.so.2"
    /// `SND_PCM_STREAM_PLAYBACK`.
    static let playback: CInt = 0
    /// `SND_PCM_FORMAT_S16`, in the machine's order of bytes.
    static let signed16: CInt = UInt16(1).littleEndian == 1 ? 2 : 3
    /// `SND_PCM_ACCESS_RW_INTERLEAVED`.
    static let interleaved: CInt = 3

    typealias Handle = OpaquePointer
    typealias Open = @convention(c) (UnsafeMutablePointer<Handle?>, UnsafePointer<CChar>, CInt, CInt) -> CInt
    typealias SetParameters =
        @convention(c) (Handle, CInt, CInt, CUnsignedInt, CUnsignedInt, CInt, CUnsignedInt) -> CInt
    typealias Write = @convention(c) (Handle, UnsafeRawPointer, CUnsignedLong) -> CLong
    typealias Delay = @convention(c) (Handle, UnsafeMutablePointer<CLong>) -> CInt
    typealias Recover = @convention(c) (Handle, CInt, CInt) -> CInt
    typealias Simple = @convention(c) (Handle) -> CInt
    /// `snd_lib_error_handler_t`, whose further arguments are ignored.
    typealias ErrorHandler =
        @convention(c) (
            UnsafePointer<CChar>?, CInt, UnsafePointer<CChar>?, CInt, UnsafePointer<CChar>?
        ) -> Void
    typealias SetErrorHandler = @convention(c) (ErrorHandler?) -> CInt
    typealias Message = @convention(c) (CInt) -> UnsafePointer<CChar>?

    let open: Open
    let setParameters: SetParameters
    let write: Write
    let delay: Delay
    let recover: Recover
    let drain: Simple
    let drop: Simple
    let prepare: Simple
    let close: Simple
    private let message: Message

    /// Loads the library.
    init() throws(SoundCardError) {
        guard let library = dlopen(Self.name, RTLD_NOW) else {
            throw .libraryMissing(dlerror().map { String(cString: $0) } ?? Self.name)
        }
        func function<Function>(_ name: String) throws(SoundCardError) -> Function {
            guard let symbol = dlsym(library, name) else { throw .libraryMissing("\(Self.name) has no \(name)") }
            return unsafeBitCast(symbol, to: Function.self)
        }
        open = try function("snd_pcm_open")
        setParameters = try function("snd_pcm_set_params")
        write = try function("snd_pcm_writei")
        delay = try function("snd_pcm_delay")
        recover = try function("snd_pcm_recover")
        drain = try function("snd_pcm_drain")
        drop = try function("snd_pcm_drop")
        prepare = try function("snd_pcm_prepare")
        close = try function("snd_pcm_close")
        message = try function("snd_strerror")
        // Errors are thrown. Without a handler, the library prints several lines for each.
        let setErrorHandler: SetErrorHandler = try function("snd_lib_error_set_handler")
        _ = setErrorHandler { _, _, _, _, _ in }
    }

    /// Returns the text of an error.
    func reason(_ code: CInt) -> String {
        message(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
