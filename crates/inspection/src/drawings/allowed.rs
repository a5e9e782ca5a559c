//! What may stand in a drawing. Whatever is on none of these lists is left out, so that what the format gains one day, or a
//! browser knows beside it, is left out as well.

/// The shapes, what they are painted with, and what holds them. No `image`, `script`, `foreignObject`, no animation.
const ELEMENTS: [&str; 50] = [
    "circle",
    "clipPath",
    "defs",
    "desc",
    "ellipse",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "filter",
    "g",
    "line",
    "linearGradient",
    "marker",
    "mask",
    "path",
    "pattern",
    "polygon",
    "polyline",
    "radialGradient",
    "rect",
    "stop",
    "svg",
    "switch",
    "symbol",
    "text",
    "textPath",
    "title",
    "tspan",
    "use",
];

/// What is said of an element beside how it is painted.
const ATTRIBUTES: [&str; 107] = [
    "amplitude",
    "aria-describedby",
    "aria-hidden",
    "aria-label",
    "aria-labelledby",
    "azimuth",
    "baseFrequency",
    "bias",
    "class",
    "clipPathUnits",
    "cx",
    "cy",
    "d",
    "diffuseConstant",
    "divisor",
    "dx",
    "dy",
    "edgeMode",
    "elevation",
    "exponent",
    "filterUnits",
    "fr",
    "fx",
    "fy",
    "gradientTransform",
    "gradientUnits",
    "height",
    "id",
    "in",
    "in2",
    "intercept",
    "k1",
    "k2",
    "k3",
    "k4",
    "kernelMatrix",
    "kernelUnitLength",
    "lang",
    "lengthAdjust",
    "limitingConeAngle",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "method",
    "mode",
    "numOctaves",
    "offset",
    "operator",
    "order",
    "orient",
    "path",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "points",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "preserveAlpha",
    "preserveAspectRatio",
    "primitiveUnits",
    "r",
    "radius",
    "refX",
    "refY",
    "result",
    "role",
    "rotate",
    "rx",
    "ry",
    "scale",
    "seed",
    "side",
    "slope",
    "spacing",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "systemLanguage",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "transform",
    "type",
    "values",
    "version",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "xChannelSelector",
    "xml:lang",
    "xml:space",
    "y",
    "y1",
    "y2",
    "yChannelSelector",
    "z",
];

/// How something is painted: as an attribute, and in a style.
const PROPERTIES: [&str; 73] = [
    "alignment-baseline",
    "baseline-shift",
    "clip-path",
    "clip-rule",
    "color",
    "color-interpolation",
    "color-interpolation-filters",
    "color-rendering",
    "direction",
    "display",
    "dominant-baseline",
    "fill",
    "fill-opacity",
    "fill-rule",
    "filter",
    "flood-color",
    "flood-opacity",
    "font",
    "font-family",
    "font-feature-settings",
    "font-kerning",
    "font-size",
    "font-size-adjust",
    "font-stretch",
    "font-style",
    "font-variant",
    "font-weight",
    "image-rendering",
    "isolation",
    "letter-spacing",
    "lighting-color",
    "line-height",
    "marker",
    "marker-end",
    "marker-mid",
    "marker-start",
    "mask",
    "mask-type",
    "mix-blend-mode",
    "opacity",
    "overflow",
    "paint-order",
    "pointer-events",
    "shape-rendering",
    "stop-color",
    "stop-opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-opacity",
    "stroke-width",
    "text-align",
    "text-anchor",
    "text-decoration",
    "text-indent",
    "text-orientation",
    "text-overflow",
    "text-rendering",
    "text-transform",
    "transform",
    "transform-box",
    "transform-origin",
    "unicode-bidi",
    "vector-effect",
    "visibility",
    "white-space",
    "word-spacing",
    "writing-mode",
    "x",
    "y",
];

/// What may be called in a value: colours, movements and arithmetic. `url` may only point into the drawing itself.
const FUNCTIONS: [&str; 26] = [
    "calc",
    "drop-shadow",
    "blur",
    "brightness",
    "contrast",
    "grayscale",
    "hsl",
    "hsla",
    "hwb",
    "light-dark",
    "matrix",
    "max",
    "min",
    "oklch",
    "opacity",
    "rgb",
    "rgba",
    "rotate",
    "saturate",
    "scale",
    "skewx",
    "skewy",
    "translate",
    "translatex",
    "translatey",
    "var",
];

/// Elements that refer to another one by `href`.
const REFERRING: [&str; 6] = [
    "filter",
    "linearGradient",
    "pattern",
    "radialGradient",
    "textPath",
    "use",
];

/// Whether an element is kept, with what is in it.
pub fn element(name: &str) -> bool {
    ELEMENTS.contains(&name)
}

/// Whether an element may point at another one.
pub fn refers(element: &str) -> bool {
    REFERRING.contains(&element)
}

/// Whether an attribute is kept, if its value may be.
pub fn attribute(name: &str) -> bool {
    ATTRIBUTES.contains(&name) || property(name)
}

/// Whether something may stand in a style.
pub fn property(name: &str) -> bool {
    PROPERTIES.contains(&name)
}

/// Whether a value reaches nothing outside of the drawing: all that it calls is known, and no address is another's.
pub fn value(value: &str) -> bool {
    // With a backslash CSS spells letters otherwise, and what is not to be there could be.
    if value.contains(['\\', '<', '@', '{', '}']) || value.contains("/*") {
        return false;
    }
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('(') {
        let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let name = before.rsplit(|c| !is_name(c)).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        let is_known = match name.as_str() {
            "" => true,
            "url" => after
                .trim_start()
                .trim_start_matches(['"', '\''])
                .starts_with('#'),
            name => FUNCTIONS.contains(&name),
        };
        if !is_known {
            return false;
        }
        rest = after;
    }
    true
}
