/// What a file's name promises. It never decides how a file is read.
package enum MediaName {
  /// The extensions of media of no ``MediaFormat``: of cinema cameras, old and other cameras, recorders and
  /// programs, in lowercase and without the dot.
  private static let others = Set(
    """
    264 265 360 aa3 aax ac3 afphoto ai amr amv ani ape ari arx asx at3 au avci avcs awb bay bpg braw caf cdr
    cin cine crm cs1 cur dav dc2 dff divx djv djvu dpx drf ds2 dsf dss dts dvr dvr-ms eac3 eip emf eps evo exr
    f4a f4v fits flif fpx glv gsm h264 h265 hdp hdr heics heifs hevc icns iff ism ismv ithmb j6i jb2 jbg jng
    jpm jxr kc2 kra lbm lfp lrf lri lrv m4p m4s mdc mj2 mjp2 mjpeg mjpg mlv mng mp2 mpc mpv2 mve mxf nsv oma
    ora pcd pct pdn pgx pic pict procreate psp pspimage ptx pxn qcp qtk r3d ra ras rdc rf64 rm rmvb rwz snd
    sti sun svg svi swf tak tivo tp trp tta vox vp6 w64 wbmp wdp wmf wmp wtv wv xbm xpm xvid y4m yuv
    """.split(whereSeparator: \.isWhitespace).map(String.init)
  )

  /// The extensions of formats that source code and other texts have too, such as `go.mod` and TypeScript.
  private static let ofTexts: Set<String> = ["dcs", "dif", "mod", "mts", "raw", "ts"]

  /// What a worker says of a file of no known format that is a text.
  package static let textDetail = "it is a text"

  /// Whether a text may well have a name with this extension, in lowercase and without the dot.
  package static func isOfTexts(fileExtension: String) -> Bool { ofTexts.contains(fileExtension) }

  /// Whether a name with this extension, in lowercase and without the dot, is that of a picture, a film or a
  /// sound, also in a format that is not known.
  package static func isMedia(fileExtension: String) -> Bool {
    MediaFormat(fileExtension: fileExtension) != nil || others.contains(fileExtension)
  }
}
