// What Word and Google Docs put on the clipboard, as they do: with styles, comments, wrappers that say the opposite, lists that are none.
const WORD_MARK = (sign, family) =>
  `<![if !supportLists]><span style='${family}mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>`;
const WORD_ITEM = (level, list, sign, words, place = "Middle", family = "font-family:Symbol;") =>
  `<p class=MsoListParagraphCxSp${place} style='margin-left:${level * 36}.0pt;text-indent:-18.0pt;mso-list:l${list} level${level} lfo${list + 1}'>${WORD_MARK(sign, family)}${words}<o:p></o:p></p>`;

export const WORD = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=Generator content="Microsoft Word 15">
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- /* Font Definitions */ @font-face {font-family:Calibri;} p.MsoNormal {margin:0cm;} --></style></head>
<body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment-->
<p class=MsoTitle>Heat in the kitchen<o:p></o:p></p>
<h1><a name="_Toc1"></a>The <b>danger</b> zone<o:p></o:p></h1>
<p class=MsoNormal>Bacteria <b style='mso-bidi-font-weight:normal'>multiply</b> between 5 and
63&nbsp;°C, <i>as a rule</i>.<span style='mso-spacerun:yes'>  </span>See <a href="https://example.org/heat">this page</a>.<a style='mso-comment-reference:A_1' href="#_msocom_1">[A1]</a><o:p></o:p></p>
${WORD_ITEM(1, 0, "·", "Wash your hands", "First")}
${WORD_ITEM(2, 0, "o", "with <b>soap</b>", "Middle", 'font-family:"Courier New";')}
${WORD_ITEM(1, 0, "·", "Dry them", "Last")}
<p class=MsoNormal>Then:<o:p></o:p></p>
${WORD_ITEM(1, 1, "1.", "Heat to 74&nbsp;°C", "First", "")}
${WORD_ITEM(1, 1, "2.", "Hold it there", "Last", "")}
<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse'>
<tr style='mso-yfti-irow:0'><td width=200 valign=top><p class=MsoNormal><b>Food</b><o:p></o:p></p></td><td width=200 valign=top><p class=MsoNormal align=right style='text-align:right'><b>Core</b><o:p></o:p></p></td></tr>
<tr><td><p class=MsoNormal>Chicken | hen<o:p></o:p></p><p class=MsoNormal>whole</p></td><td><p class=MsoNormal align=right style='text-align:right'>74 °C<o:p></o:p></p></td></tr></table>
<p class=MsoNormal><img width=10 height=10 src="file:///C:/Users/ada/clip_image001.png"><o:p>&nbsp;</o:p></p>
<!--EndFragment--><div style='mso-element:comment-list'><div style='mso-element:comment'><p class=MsoCommentText>Check this</p></div></div></body></html>`;

export const WORD_AS_MARKDOWN = `# Heat in the kitchen

# The danger zone

Bacteria **multiply** between 5 and 63 °C, *as a rule*. See [this page](https://example.org/heat).

- Wash your hands
  - with **soap**
- Dry them

Then:

1. Heat to 74 °C
2. Hold it there

| Food | Core |
| --- | --: |
| Chicken \\| hen<br>whole | 74 °C |`;

const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

export const DOCS = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-7b1c"><h2 dir="ltr" style="line-height:1.38;margin-top:18pt;"><span style="font-size:16pt;font-family:Arial,sans-serif;font-weight:700;">Cooling down</span></h2><p dir="ltr" style="line-height:1.38"><span style="font-size:11pt;font-weight:400;font-style:normal;">Cool it </span><span style="font-size:11pt;font-weight:700;">within two hours</span><span style="font-weight:400;">, </span><span style="font-weight:400;font-style:italic;">always</span><span style="font-weight:400;">; see </span><a href="https://www.google.com/url?q=https://example.org/cool&amp;sa=D" style="text-decoration:none;"><span style="font-weight:400;color:#1155cc;text-decoration:underline;">here</span></a><span>. CO</span><span style="font-size:0.6em;vertical-align:sub;">2</span></p><br /><ul style="margin-top:0;"><li dir="ltr" style="list-style-type:disc;font-weight:400" aria-level="1"><p dir="ltr" role="presentation"><span style="font-weight:400;">Flat trays</span></p></li><ul style="margin-top:0"><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span style="font-weight:400">not deep pots</span></p></li></ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Stir</span></p></li></ul><div dir="ltr" align="left"><table style="border:none"><colgroup><col width="301" /><col width="301" /></colgroup><tbody><tr style="height:0pt"><td><p dir="ltr"><span style="font-weight:700;">Time</span></p></td><td><p dir="ltr"><span>Limit</span></p></td></tr><tr><td colspan="2"><p dir="ltr"><span>2 h to 21 °C</span></p></td></tr></tbody></table></div><p><span><img src="data:image/png;base64,${DOT}" alt="a dot"></span></p></b><br class="Apple-interchange-newline">`;

export const DOCS_AS_MARKDOWN = `## Cooling down

Cool it **within two hours**, *always*; see [here](https://example.org/cool). CO<sub>2</sub>

- Flat trays
  - not deep pots
- Stir

| Time | Limit |
| --- | --- |
| 2 h to 21 °C |  |

![a dot](media:…)`;

export const PICTURE = Buffer.from(DOT, "base64");
