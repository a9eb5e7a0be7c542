// An app that imports only AVKit gets the same modules as from Apple's.
@_exported public import AVFoundation
